import Mustache
import Synchronization

/// The Mustache templates of the site's pages, parsed for the first visitor.
enum SiteTemplates {
    enum Name: String, CaseIterable { case layout, overview, videoclub, radio, live, about, problem }

    private static let library = Mutex<MustacheLibrary?>(nil)

    /// Renders a template.
    ///
    /// - Throws: an error if a template is not valid.
    static func render(_ name: Name, _ values: [String: Any]) throws -> String {
        let library = try library.withLock { cached in
            if let cached { return cached }
            var templates: [String: MustacheTemplate] = [:]
            for name in Name.allCases { templates[name.rawValue] = try MustacheTemplate(string: source(of: name)) }
            templates["search"] = try MustacheTemplate(string: search)
            templates["notice"] = try MustacheTemplate(string: notice)
            let library = MustacheLibrary(templates: templates)
            cached = library
            return library
        }
        return library.render(values, withTemplate: name.rawValue) ?? ""
    }

    private static func source(of name: Name) -> String {
        switch name {
        case .layout: layout
        case .overview: overview
        case .videoclub: videoclub
        case .radio: radio
        case .live: live
        case .about: about
        case .problem: problem
        }
    }

    private static let layout = """
        <!doctype html>
        <html lang="{{t.language}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{title}} · Antena</title>
        <link rel="stylesheet" href="/site/{{styleVersion}}/antena.css">
        <link rel="icon" href="/site/icon.svg" type="image/svg+xml">
        <script src="/site/{{scriptVersion}}/antena.js" defer></script>
        </head>
        <body>
        <a class="skip" href="#content">{{t.skip}}</a>
        <header class="bar">
        <a class="brand" href="/"><img src="/site/icon.svg" alt="" width="28" height="28">Antena</a>
        <nav aria-label="Antena">
        {{#navigation}}
        <a href="{{path}}"{{#current}} aria-current="page"{{/current}}>{{name}}</a>
        {{/navigation}}
        </nav>
        </header>
        <main id="content">
        {{{content}}}
        </main>
        <footer><p>Antena {{version}}</p></footer>
        </body>
        </html>

        """

    private static let search = """
        <form class="search" method="get" role="search">
        <label for="q">{{searchLabel}}</label>
        <input id="q" name="q" type="search" value="{{query}}" maxlength="100" autocomplete="off">
        <button>{{t.find}}</button>
        </form>
        """

    private static let notice = """
        {{#notice}}<p class="notice" role="status">{{text}}{{#detail}}<br><span class="sub">{{detail}}</span>{{/detail}}</p>
        {{/notice}}
        """

    private static let problem = """
        <h1>{{heading}}</h1>
        <p>{{explanation}}</p>
        <p class="sub">HTTP {{status}}</p>
        <p><a class="button" href="/">{{t.overview}}</a></p>
        """

    private static let overview = """
        <section class="hero">
        <h1>Antena</h1>
        <p>{{t.tagline}}</p>
        </section>
        <section>
        <div class="head"><h2>{{t.live}}</h2><a href="/directo">{{t.seeAll}}</a></div>
        <ul class="channels compact">
        {{#channels}}
        <li><a class="tile" href="/directo#{{name}}" data-channel="{{name}}" data-state="{{state}}">
        <strong>{{title}}</strong><span class="badge">{{stateText}}</span></a></li>
        {{/channels}}
        </ul>
        </section>
        <section>
        <div class="head"><h2>{{t.videoClub}}</h2><a href="/videoclub">{{t.seeAll}}</a></div>
        {{^titles}}<p class="empty">{{t.noTitles}}</p>{{/titles}}
        <ul class="posters">
        {{#titles}}
        <li><a class="card" href="/videoclub?title={{id}}"><span class="art">{{#poster}}<img src="{{poster}}" \
        alt="" loading="lazy">{{/poster}}{{#duration}}<span class="time">{{duration}}</span>{{/duration}}</span>\
        <span class="name">{{title}}</span></a></li>
        {{/titles}}
        </ul>
        </section>
        <section>
        <div class="head"><h2>{{t.radio}}</h2><a href="/radio">{{t.seeAll}}</a></div>
        {{^tracks}}<p class="empty">{{t.noTracks}}</p>{{/tracks}}
        <ul class="posters square">
        {{#tracks}}
        <li><a class="card" href="/radio?track={{id}}"><span class="art">{{#cover}}<img src="{{cover}}" alt="" \
        loading="lazy">{{/cover}}</span><span class="name">{{title}}</span>\
        <span class="sub">{{artist}}</span></a></li>
        {{/tracks}}
        </ul>
        </section>
        """

    private static let videoclub = """
        <h1>{{t.videoClub}}</h1>
        {{> notice}}
        {{#selected}}
        <section class="theatre" aria-label="{{t.player}}">
        <video id="player" controls playsinline preload="none" src="{{playlist}}"{{#poster}} poster="{{poster}}"\
        {{/poster}} aria-labelledby="playing">{{#subtitles}}
        <track kind="{{kind}}" src="{{address}}" srclang="{{language}}" label="{{label}}"{{#isDefault}} default{{/isDefault}}>\
        {{/subtitles}}</video>
        <div id="scrub" data-board="{{storyboard}}" aria-hidden="true" hidden><canvas></canvas></div>
        <h2 id="playing">{{title}}</h2>
        <p id="left-out" class="sub"{{^leftOut}} hidden{{/leftOut}}>{{t.leftOut}} <span>{{leftOut}}</span></p>
        <ol id="chapters" class="chapters" aria-label="{{t.chapters}}" hidden></ol>
        <p class="vlc" hidden>{{t.noHLS}} <code id="address" data-origin="{{origin}}">{{origin}}{{playlist}}</code></p>
        </section>
        {{/selected}}
        {{> search}}
        <section id="jobs" data-queued="{{t.queued}}" data-downloading="{{t.downloading}}" data-probing="{{t.probing}}" \
        data-indexing="{{t.indexing}}" data-transcoding="{{t.transcoding}}"{{^jobs}} hidden{{/jobs}}>
        <h2>{{t.inPreparation}}</h2>
        <ul class="jobs">
        {{#jobs}}
        <li data-job="{{id}}"><span class="name">{{file}}</span> <span class="sub">{{stateText}}</span>\
        <progress max="1"{{#progress}} value="{{progress}}"{{/progress}} aria-label="{{file}}"></progress></li>
        {{/jobs}}
        </ul>
        </section>
        <div id="results" data-item="title">
        {{#nothingFound}}<p class="empty">{{t.nothingFound}} “{{query}}”. <a href="/videoclub">{{t.clear}}</a></p>
        {{/nothingFound}}
        {{#isEmpty}}<p class="empty">{{t.noTitles}}</p>{{/isEmpty}}
        <ul class="posters">
        {{#titles}}
        <li><a class="card{{#hasFailed}} failed{{/hasFailed}}" data-title="{{id}}" data-state="{{state}}" \
        data-name="{{title}}" data-playlist="{{playlist}}" data-board="{{storyboard}}"\
        {{#isReady}} href="/videoclub?{{kept}}title={{id}}"{{/isReady}}>
        <span class="art">{{#poster}}<img src="{{poster}}" alt="{{t.poster}} {{title}}" loading="lazy">{{/poster}}\
        {{#duration}}<span class="time">{{duration}}</span>{{/duration}}</span>
        <span class="name">{{title}}</span>
        {{^isReady}}<span class="sub">{{stateText}}{{#error}}: {{error}}{{/error}}</span>\
        {{^hasFailed}}<progress max="1"{{#progress}} value="{{progress}}"{{/progress}} aria-label="{{stateText}}">\
        </progress>{{/hasFailed}}{{/isReady}}\
        {{#isReady}}<span class="sub">{{details}}</span>{{/isReady}}
        </a></li>
        {{/titles}}
        </ul>
        <p class="pager">{{#first}}<a class="button" href="{{first}}">{{t.first}}</a>{{/first}}
        {{#next}}<a class="button" href="{{next}}" rel="next">{{t.more}}</a>{{/next}}</p>
        </div>
        """

    private static let radio = """
        <h1>{{t.radio}}</h1>
        {{> notice}}
        {{#selected}}
        <section class="deck" aria-label="{{t.player}}">
        <span class="art" id="deck-cover">{{#cover}}<img src="{{cover}}" alt="{{t.cover}} {{title}}">{{/cover}}</span>
        <div><h2 id="playing">{{title}}</h2><p class="sub" id="deck-sub">{{artist}}</p>
        <audio id="player" controls preload="none" src="{{playlist}}" data-file="{{file}}" aria-labelledby="playing">\
        </audio>
        </div>
        </section>
        {{/selected}}
        {{> search}}
        <div id="results" data-item="track">
        {{#nothingFound}}<p class="empty">{{t.nothingFound}} “{{query}}”. <a href="/radio">{{t.clear}}</a></p>
        {{/nothingFound}}
        {{#isEmpty}}<p class="empty">{{t.noTracks}}</p>{{/isEmpty}}
        <ul class="tracks">
        {{#tracks}}
        <li><a{{#isReady}} href="/radio?{{kept}}track={{id}}"{{/isReady}} data-track="{{id}}" data-name="{{title}}" \
        data-artist="{{artist}}" data-playlist="{{playlist}}" data-file="{{file}}" data-cover="{{cover}}">
        <span class="art">{{#cover}}<img src="{{cover}}" alt="" loading="lazy">{{/cover}}</span>
        <span class="what"><strong>{{title}}</strong><span class="sub">{{artist}}</span></span>
        <span class="album sub">{{album}}{{#year}} ({{year}}){{/year}}</span>
        <span class="time">{{#isReady}}{{duration}}{{/isReady}}{{^isReady}}{{stateText}}{{/isReady}}</span>
        </a></li>
        {{/tracks}}
        </ul>
        <p class="pager">{{#first}}<a class="button" href="{{first}}">{{t.first}}</a>{{/first}}
        {{#next}}<a class="button" href="{{next}}" rel="next">{{t.more}}</a>{{/next}}</p>
        </div>
        """

    private static let live = """
        <h1>{{t.live}}</h1>
        <ul class="channels" data-idle="{{t.stateIdle}}" data-live="{{t.stateLive}}" \
        data-interrupted="{{t.stateInterrupted}}" data-viewer="{{t.viewer}}" data-viewers="{{t.viewers}}">
        {{#channels}}
        <li><article class="channel" id="{{name}}" data-channel="{{name}}" data-state="{{state}}" \
        data-playlist="{{playlist}}" aria-labelledby="{{name}}-title">
        <div class="stage"><video controls playsinline preload="none" aria-labelledby="{{name}}-title"\
        {{#isOn}} src="{{playlist}}"{{/isOn}}{{^isOn}} hidden{{/isOn}}></video>
        <p class="off"{{#isOn}} hidden{{/isOn}}>{{t.offAir}}</p></div>
        <div class="head"><h2 id="{{name}}-title">{{title}}</h2>\
        <span class="badge" role="status">{{stateText}}</span></div>
        <p class="sub viewers"{{^isOn}} hidden{{/isOn}}>{{viewers}}</p>
        <p class="vlc" hidden>{{t.noHLS}} <code>{{origin}}{{playlist}}</code></p>
        </article></li>
        {{/channels}}
        </ul>
        """

    private static let about = """
        <h1>{{t.about}} Antena</h1>
        <p class="sub">{{t.version}} {{version}} · {{t.byline}}</p>
        <section>
        <h2>{{t.shareHeading}}</h2>
        <img class="chart" src="/about/chart.svg" alt="{{summary}}" width="600" height="300">
        <table>
        <thead><tr><th scope="col">{{t.category}}</th><th scope="col">{{t.count}}</th>\
        <th scope="col">{{t.share}}</th></tr></thead>
        <tbody>
        {{#shares}}<tr><th scope="row">{{name}}</th><td>{{count}}</td><td>{{percentage}} %</td></tr>
        {{/shares}}
        </tbody>
        </table>
        <p>{{t.channelsOnAir}}: <strong id="on-air">{{channelsOnAir}}</strong></p>
        </section>
        <section>
        <h2>{{t.howToPush}}</h2>
        <p>{{t.howToPushText}}</p>
        <pre tabindex="0"><code>ffmpeg -re -i film.mp4 -c:v libx264 -preset veryfast -g 60 -c:a aac \\
          -rtsp_transport tcp -f rtsp {{rtspAddress}}</code></pre>
        <ul class="plain">{{#channels}}<li>{{title}}: <code>{{rtsp}}</code></li>{{/channels}}</ul>
        </section>
        <section>
        <h2>{{t.howToPlay}}</h2>
        <p>{{t.howToPlayText}}</p>
        <ul class="plain">
        {{#channels}}<li>{{title}}: <code>{{hls}}</code></li>{{/channels}}
        <li>{{t.videoClub}}: <code>{{origin}}/vod/{id}/playlist.m3u8</code></li>
        <li>{{t.radio}}: <code>{{origin}}/radio/{id}/playlist.m3u8</code></li>
        </ul>
        <pre tabindex="0"><code>vlc {{hlsAddress}}
        ffplay {{hlsAddress}}</code></pre>
        <p>{{t.api}} <a href="/api/v1/openapi.json"><code>/api/v1/openapi.json</code></a></p>
        </section>
        """
}
