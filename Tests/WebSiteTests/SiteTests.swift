import Catalogue
import Database
import DatabaseTestSupport
import Features
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import MediaAccess
import NIOCore
import SiteTexts
import Synchronization
import Testing

@testable import HTTPEndpoints
@testable import WebSite
@testable import Workflows

extension HTTPFields {
    fileprivate func merging(acceptLanguage: String) -> HTTPFields {
        var fields = self
        fields[.acceptLanguage] = acceptLanguage
        return fields
    }
}

@Suite(.eachEngine) struct SiteTests {
    private let content = InMemoryContent()

    private func page(_ path: String, headers: HTTPFields = [:]) async throws -> (response: TestResponse, html: String)
    {
        let table = EndpointTable.serving(content) { $0.ports = StationPorts(publishing: .init(rtsp: { 9_554 })) }
        let response = try await Application(router: table.router()).test(.router) { client in
            try await client.execute(uri: path, method: .get, headers: headers)
        }
        return (response, String(buffer: response.body))
    }

    /// They were `http` on the HTTPS port and behind proxies that speak HTTPS.
    @Test(arguments: ["http", "https"]) func addressesHaveTheSchemeOfTheVisitor(_ scheme: String) async throws {
        let router = EndpointTable.serving(content) { $0.ports = StationPorts(publishing: .init(rtsp: { 9_554 })) }
            .router()
            .buildResponder()
        let application = Application(
            responder: CallbackResponder { (request: Request, context: GatewayRequestContext) in
                try await router.respond(to: request.changingHead { $0.scheme = scheme }, context: context)
            })
        let page = try await application.test(.router) { client in
            try await client.execute(uri: "/acerca", method: .get)
        }
        let html = String(buffer: page.body)
        #expect(html.contains("\(scheme)://localhost/vod/{id}/playlist.m3u8"), "\(html)")
    }

    @Test(arguments: ["/", "/radio", "/videoclub", "/directo", "/acerca"])
    func everyPageIsCompleteEvenWithNothingToShow(_ path: String) async throws {
        let (response, html) = try await page(path)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        let policy = try #require(response.headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        #expect(html.hasPrefix("<!doctype html>") && html.contains("</html>"))
        #expect(html.contains("aria-current=\"page\""))
        #expect(!html.contains("{{") && !html.contains("http://www.") && !html.contains("style="))
    }

    @Test func namesCannotTurnOrHideTextAroundThem() async throws {
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("one", title: "A \u{202E}txt.4pm\u{200B}\u{1B}[31m")]
            state.tracks = []
        }
        let club = try await page("/videoclub").html
        #expect(club.contains("A txt.4pm [31m"))
        #expect(!club.unicodeScalars.contains { ["\u{202E}", "\u{200B}", "\u{1B}"].contains($0) })
    }

    @Test func listsAndPlaysWhatThereIs() async throws {
        let channels = [try InMemoryContent.channel("canalA", state: "live"), try InMemoryContent.channel("canalB")]
        content.state.withLock { state in
            state.channels = channels
            state.titles = [
                InMemoryContent.title("one", title: "A <b> & \"c\"", poster: "/p.jpg"),
                InMemoryContent.title("two", state: .transcoding), InMemoryContent.title("bad", state: .failed),
            ]
            state.tracks = [InMemoryContent.track("song", cover: "/c")]
        }
        #expect(try await page("/videoclub?title=one").html.contains(#"src="/vod/one/playlist.m3u8""#))
        let club = try await page("/videoclub").html
        #expect(!club.contains("data-player"), "the list of titles begins with titles")
        #expect(club.contains(#"<img src="/vod/one/poster.jpg?v="#))
        #expect(club.contains("A &lt;b&gt; &amp; &quot;c&quot;") && !club.contains("<b>"))
        #expect(club.contains("1:02:03"))
        #expect(club.contains(#"<progress max="1" value="0.25""#))
        #expect(club.contains("Failed: &lt;broken&gt;"))
        #expect(try await page("/radio").html.contains(#"src="/radio/song/playlist.m3u8""#))
        let live = try await page("/directo").html
        #expect(live.contains(#"data-state="live""#))
        #expect(live.contains(#"src="/live/canalA.stream/playlist.m3u8?ll=1""#))
        #expect(!live.contains(#"src="/live/canalB.stream/playlist.m3u8?ll=1""#))
    }

    @Test func aCancelledTitleIsCalledThat() async throws {
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("one", state: .cancelled)]
            state.titles[0].error = "one.mp4: stopped by an operator"
        }
        let english = try await page("/videoclub?title=one", headers: Self.browser).html
        #expect(english.contains("Cancelled: one.mp4: stopped by an operator"))
        #expect(english.contains("The preparation was cancelled."))
        #expect(english.contains(#"<a class="card failed" data-title="one" data-state="cancelled""#))
        #expect(!english.contains("<progress max"))
        let spanish = try await page("/videoclub", headers: Self.browser.merging(acceptLanguage: "es")).html
        #expect(spanish.contains("Cancelado: "))
    }

    /// A URL that may be cached forever never changes its content.
    @Test func styleAndScriptAreImmutableUnderTheirVersionOnly() async throws {
        let html = try await page("/").html
        for name in ["antena.css", "scripts/main.js", "player/main.js"] {
            let prefix = try #require(html.firstRange(of: try Regex("/site/[0-9a-z]+/\(name)")))
            let address = String(html[prefix])
            let current = try await page(address).response
            #expect(current.status == .ok)
            #expect(current.headers[.cacheControl] == "public, max-age=31536000, immutable")
            // The page was loaded before an upgrade.
            let old = try await page("/site/0/\(name)").response
            #expect(old.status == .temporaryRedirect && old.headers[.location] == address)
            #expect(old.headers[.cacheControl] == "no-store" && old.body.readableBytes == 0)
        }
    }

    /// A statement that reaches its time limit leaves the page as it is, with a way to ask again.
    @Test(.engine(.postgreSQL)) func aListThatTakesTooLongOffersToTryAgain() async throws {
        let database = try await TestDatabase().open()
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("one")]
            state.onTitles = {
                try await database.read(within: .milliseconds(200)) { db in
                    _ = try db.firstValue("SELECT pg_sleep(60)::text") as String?
                }
            }
        }
        for path in ["/videoclub", "/videoclub?q=garden", "/videoclub?section=new&sort=title"] {
            let (response, html) = try await page(path, headers: Self.browser.merging(acceptLanguage: "en"))
            #expect(response.status == .serviceUnavailable, "\(path)")
            #expect(html.contains("This took too long") && html.contains(#"<a href="">Try again</a>"#), "\(path)")
            #expect(html.contains(#"name="q""#) && !html.contains("data-title=\"one\""))
            let spanish = try await page(path, headers: Self.browser.merging(acceptLanguage: "es")).html
            #expect(spanish.contains("Intentar de nuevo"))
        }
        #expect(try await page("/videoclub?q=garden", headers: Self.browser).html.contains("value=\"garden\""))
        content.state.withLock { $0.onTitles = nil }
        let (response, html) = try await page("/videoclub", headers: Self.browser)
        #expect(response.status == .ok && html.contains("data-title=\"one\""))
        await database.close()
    }

    @Test func pagesAndSearches() async throws {
        content.state.withLock { state in
            state.titles = (0..<30).map { InMemoryContent.title("t\($0)") }
        }
        #expect(try await page("/videoclub").html.contains(#"href="?cursor=20""#))
        let second = try await page("/videoclub?cursor=20&q=t").html
        #expect(second.contains(#"data-title="t29""#) && second.contains(#"href="?q=t""#))
        #expect(try await page("/videoclub?q=%3Cx%3E").html.contains("“&lt;x&gt;”"))
    }

    private static let browser: HTTPFields = [
        .accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    ]

    @Test func theTitleHasItsSubtitles() async throws {
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("one")]
            state.subtitles["one"] = [
                TitleSubtitles(
                    address: "/vod/one/subtitles-es.vtt", label: "Español", language: "es", isForTheDeaf: false,
                    isDefault: true),
                TitleSubtitles(
                    address: "/vod/one/subtitles-en-sdh.vtt", label: "English \"SDH\"", language: "en",
                    isForTheDeaf: true, isDefault: false),
            ]
        }
        let html = try await page("/videoclub?title=one").html
        #expect(
            html.contains(
                #"<track kind="subtitles" src="/vod/one/subtitles-es.vtt" srclang="es" label="Español" default>"#))
        #expect(html.contains(#"<track kind="captions" src="/vod/one/subtitles-en-sdh.vtt" srclang="en""#))
        #expect(html.contains("English &quot;SDH&quot;"))
    }

    @Test(arguments: ["/videoclub?title=nosuch", "/radio?track=nosuch"])
    func anUnknownItemIsSaidToBeUnknown(_ path: String) async throws {
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("one")]
            state.tracks = [InMemoryContent.track("song")]
        }
        let (response, html) = try await page(path, headers: Self.browser)
        #expect(response.status == .notFound)
        #expect(html.contains(#"<p class="notice""#) && html.contains("There is no such"))
        #expect(!html.contains("id=\"player\""))
        #expect(html.contains(#"data-title="one""#) || html.contains(#"data-track="song""#))
        let program = try await page(path)
        #expect(program.response.status == .notFound)
        #expect(program.response.headers[.contentType] == "application/problem+json")
    }

    @Test func aFailedTitleSaysWhyInsteadOfShowingAnother() async throws {
        content.state.withLock { state in
            state.titles = [
                InMemoryContent.title("one"), InMemoryContent.title("bad", state: .failed),
                InMemoryContent.title("two", state: .transcoding),
            ]
        }
        let failed = try await page("/videoclub?title=bad", headers: [.acceptLanguage: "es"])
        #expect(failed.response.status == .ok)
        #expect(
            failed.html.contains(
                "Este título no se puede reproducir.<br><span class=\"sub\">el servidor no puede usar el archivo"))
        #expect(!failed.html.contains("broken"))
        #expect(try await page("/videoclub?title=bad").html.contains("<span class=\"sub\">&lt;broken&gt;</span>"))
        #expect(!failed.html.contains("id=\"player\""))
        #expect(try await page("/videoclub?title=two").html.contains("still being prepared"))
        #expect(try await !page("/videoclub?title=one").html.contains("class=\"notice\""))
    }

    @Test(arguments: [
        ("/nosuch", 404, "Página no encontrada"), ("/vod/one", 404, "Página no encontrada"),
        ("/videoclub?limit=0", 400, "Esta página no se puede mostrar"),
    ])
    func errorsArePagesForPeopleAndProblemsForPrograms(_ path: String, _ status: Int, _ heading: String) async throws {
        let (response, html) = try await page(path, headers: Self.browser.merging(acceptLanguage: "es"))
        #expect(response.status.code == status)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.vary]?.contains("Accept") == true)
        #expect(html.contains("<h1>\(heading)</h1>") && html.contains("<html lang=\"es\">"))
        for accept in ["*/*", "application/json", "text/html;q=0.5, application/json"] {
            let program = try await page(path, headers: [.accept: accept]).response
            #expect(program.headers[.contentType] == "application/problem+json")
        }
    }

    @Test func theAPIAnswersProgramsWhoeverAsks() async throws {
        let response = try await page("/api/v1/nosuch", headers: Self.browser).response
        #expect(response.headers[.contentType] == "application/problem+json")
    }

    @Test func theHomePageShowsTheNewest() async throws {
        content.state.withLock { state in
            state.titles = (0..<15).map { InMemoryContent.title("t\($0)") }
            state.tracks = (0..<15).map { InMemoryContent.track("s\($0)") }
        }
        let html = try await page("/").html
        #expect(html.ranges(of: "href=\"/videoclub?title=t").count == 12)
        #expect(html.contains("track=s14\"") && !html.contains("track=s2\""))
    }

    /// A channel on the air comes first, then the newest title with a picture; with neither there is no empty box.
    @Test func theHomePageBeginsWithWhatIsOn() async throws {
        #expect(try await !page("/").html.contains("class=\"hero\""))
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("bare"), InMemoryContent.title("film", poster: "/p.jpg")]
        }
        let film = try await page("/").html
        #expect(film.contains(#"<h1 id="now">"#) && film.contains(#"data-play href="/videoclub?title=film""#))
        #expect(!film.contains("data-hero"))
        let channels = [
            try InMemoryContent.channel("canalA"), try InMemoryContent.channel("canalB", state: "live"),
        ]
        content.state.withLock { $0.channels = channels }
        let live = try await page("/").html
        #expect(live.contains(#"data-hero data-playlist="/live/canalB.stream/playlist.m3u8?ll=1""#))
        let order = try #require(live.firstRange(of: "data-channel=\"canalB\""))
        #expect(order.lowerBound < live.firstRange(of: "data-channel=\"canalA\"")?.lowerBound ?? live.startIndex)
    }

    @Test func theSearchFindsChannelsTitlesAndTracks() async throws {
        let channels = [try InMemoryContent.channel("canalA"), try InMemoryContent.channel("north")]
        content.state.withLock { state in
            state.channels = channels
            state.titles = [InMemoryContent.title("one", title: "North <b>star</b>"), InMemoryContent.title("two")]
            state.tracks = [InMemoryContent.track("north-song", title: "North"), InMemoryContent.track("other")]
        }
        let html = try await page("/buscar?q=NORTH").html
        #expect(html.contains(#"href="/directo/north""#) && !html.contains(#"href="/directo/canalA""#))
        #expect(html.contains("North &lt;b&gt;star&lt;/b&gt;") && !html.contains("<b>star"))
        #expect(html.contains(#"href="/radio?track=north-song""#))
        let nothing = try await page("/buscar?q=%3Cx%3E").html
        #expect(nothing.contains("“&lt;x&gt;”") && !nothing.contains("<x>"))
        #expect(try await page("/buscar").response.status == .ok)
    }

    /// A choice that a browser has made is in the page from its first byte on; anything else in its cookie is not.
    @Test(arguments: [
        ("antena_theme=dark", true), ("a=b; antena_theme=light", true), ("antena_theme=\"><script>", false),
        ("", false),
    ])
    func thePageHasTheThemeOfTheVisitor(_ cookie: String, _ isKnown: Bool) async throws {
        let html = try await page("/", headers: [.cookie: cookie]).html
        #expect(html.contains("<html lang=\"en\" data-theme=\"") == isKnown)
        #expect(!html.contains("\"><script>"))
    }

    /// Links that need no script, kept by the search, by the next page and by the links to titles.
    @Test func aListIsSorted() async throws {
        content.state.withLock { state in
            state.titles = (0..<30).map { InMemoryContent.title("t\($0)") }
            state.tracks = (0..<3).map { InMemoryContent.track("s\($0)") }
        }
        let plain = try await page("/videoclub?q=t").html
        #expect(plain.contains(#"<a href="?q=t&amp;sort=newest">newest first</a>"#))
        #expect(plain.contains(#"<a href="?q=t&amp;sort=title">title</a>"#) && !plain.contains("name=\"sort\""))
        #expect(plain.contains(#"<a href="?q=t" aria-current="true">best match first</a>"#))
        let sorted = try await page("/videoclub?q=t&sort=-duration").html
        #expect(sorted.contains(#"<a href="?q=t&amp;sort=-duration" aria-current="true">longest first</a>"#))
        #expect(sorted.contains(#"<input name="sort" type="hidden" value="-duration">"#))
        #expect(sorted.contains(#"href="?q=t&amp;sort=-duration&amp;cursor=20" rel="next""#))
        #expect(sorted.contains(#"href="/videoclub?q=t&amp;sort=-duration&amp;title=t1""#))
        #expect(try await page("/videoclub?sort=-duration&cursor=20").html.contains(#"href="?sort=-duration">"#))
        let radio = try await page("/radio?sort=newest", headers: [.acceptLanguage: "es"]).html
        #expect(radio.contains(#"<a href="?sort=newest" aria-current="true">lo más nuevo</a>"#))
        #expect(try await page("/radio?sort=best").response.status == .ok)
    }

    @Test func theOrderIsThatOfTheCatalogue() async throws {
        content.state.withLock { state in
            state.titles = ["a", "b", "c"].map { InMemoryContent.title($0) }
        }
        _ = try await page("/videoclub?sort=newest")
        #expect(content.state.withLock { $0.lastOrder } == .newest)
    }

    @Test func channelsShowTheirDescriptionAndImage() async throws {
        var (first, second) = (try InMemoryContent.channel("canalA"), try InMemoryContent.channel("canalB"))
        (first.description, first.cover) = ("<b>News</b>", "/live/canalA/cover")
        second.cover = "https://images.example.org/b.png"
        content.state.withLock { [first, second] in $0.channels = [first, second] }
        let (response, html) = try await page("/directo")
        #expect(html.contains("&lt;b&gt;News&lt;/b&gt;") && !html.contains("<b>News"))
        #expect(
            html.contains(#"src="/live/canalA/cover""#) && html.contains(#"src="https://images.example.org/b.png""#))
        #expect(
            response.headers[.contentSecurityPolicy]?.contains("img-src 'self' data: https://images.example.org;")
                == true)
        let other = try await page("/").response.headers[.contentSecurityPolicy]
        #expect(other?.contains("img-src 'self' data:;") == true)
    }

    @Test func aChannelHasAPageOfItsOwn() async throws {
        var channel = try InMemoryContent.channel("canalA")
        (channel.description, channel.cover) = ("All about \"sailing\"", "/live/canalA/cover")
        var other = try InMemoryContent.channel("canalB")
        other.cover = "https://images.example.org/b.png"
        content.state.withLock { [channel, other] in $0.channels = [channel, other] }
        let (_, html) = try await page("/directo/canalA")
        #expect(html.contains("<title>\(channel.title) · Antena</title>"))
        for field in [
            #"<meta property="og:type" content="video.other">"#,
            #"<meta property="og:title" content="\#(channel.title)">"#,
            #"<meta property="og:url" content="http://localhost/directo/canalA">"#,
            #"<meta property="og:description" content="All about &quot;sailing&quot;">"#,
            #"<meta property="og:image" content="http://localhost/live/canalA/cover">"#,
        ] { #expect(html.contains(field), "\(field)") }
        #expect(html.contains("data-channel=\"canalA\"") && !html.contains("data-channel=\"canalB\""))
        #expect(html.contains("<h1 id=\"canalA-title\">") && html.contains("href=\"/directo\""))
        content.state.withLock { ($0.channels[0].cover, $0.channels[0].state) = (nil, .live) }
        #expect(
            try await page("/directo/canalA").html.contains(
                #"<meta property="og:image" content="http://localhost/live/canalA/thumbnail.jpg">"#))
        let (response, second) = try await page("/directo/canalB")
        #expect(second.contains(#"content="https://images.example.org/b.png""#))
        #expect(response.headers[.contentSecurityPolicy]?.contains("https://images.example.org") == true)
        #expect(try await page("/directo/none").response.status == .notFound)
        for path in ["/", "/directo"] {
            #expect(try await page(path).html.contains("href=\"/directo/canalA\""), "\(path)")
        }
    }

    @Test func aTrackHasAPreview() async throws {
        content.state.withLock { $0.tracks = [InMemoryContent.track("song")] }
        let html = try await page("/radio?track=song").html
        #expect(html.contains(#"<meta property="og:type" content="music.song">"#))
        #expect(html.contains(#"<meta property="og:url" content="http://localhost/radio?track=song">"#))
    }

    /// Films are not hidden among what the station has recorded.
    @Test func otherKindsOfTitlesStandInListsOfTheirOwn() async throws {
        content.state.withLock { state in
            state.titles = TitleKind.allCases.map { kind in
                var title = InMemoryContent.title("the-\(kind.rawValue)")
                title.kind = kind
                return title
            }
        }
        func shown(_ path: String) async throws -> [TitleKind] {
            let html = try await page(path).html
            return TitleKind.allCases.filter { kind in
                html.contains("title=the-\(kind.rawValue)\"")
            }
        }
        #expect(try await shown("/") == [.film, .recording], "in rows of their own")
        for path in ["/videoclub", "/videoclub?section=free", "/videoclub?q=the", "/videoclub?kind=trailer"] {
            #expect(try await shown(path) == [.film], "\(path)")
        }
        for path in ["/videoclub?kind=recording", "/videoclub?kind=recording&q=the&section=new"] {
            #expect(try await shown(path) == [.recording], "\(path)")
        }
        let list = try await page("/videoclub?kind=recording", headers: [.acceptLanguage: "es"]).html
        #expect(list.contains("<span class=\"sub\">Grabación</span>") && list.contains("name=\"kind\""))
        #expect(list.contains("<a href=\"/videoclub?kind=recording\" aria-current=\"true\">Grabaciones</a>"))
        #expect(try await page("/videoclub?title=the-trailer").html.contains("<span class=\"badge\">Trailer</span>"))
        #expect(try await page("/acerca").html.contains("<td>3</td>"))
    }

    @Test func aResultKeepsTheSearch() async throws {
        content.state.withLock { $0.titles = (0..<30).map { InMemoryContent.title("t\($0)") } }
        let html = try await page("/videoclub?q=t%26&cursor=0").html
        #expect(!html.contains("data-title"))
        let found = try await page("/videoclub?q=t&cursor=24").html
        #expect(found.contains(#"href="/videoclub?q=t&amp;cursor=24&amp;title=t29""#))
        #expect(found.contains(#"name="q" type="search""#) && found.contains(#"value="t""#))
        let title = try await page("/videoclub?q=t&cursor=24&title=t3").html
        #expect(title.contains(#"src="/vod/t3/playlist.m3u8""#) && !title.contains("data-title"))
    }

    /// File names may contain control and bidirectional characters.
    @Test func strangersTextDoesNotSteerThePage() async throws {
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("one", title: "a\u{202E}b\u{1B}[31m\u{2066}c")]
            state.tracks = [InMemoryContent.track("song", title: "d\u{202E}e")]
        }
        for path in ["/", "/videoclub", "/radio"] {
            let html = try await page(path).html
            #expect(!html.unicodeScalars.contains { ["\u{202E}", "\u{1B}", "\u{2066}"].contains($0) })
        }
    }

    @Test(arguments: [(0, "0 viewers"), (1, "1 viewer"), (2, "2 viewers")])
    func viewersAreCountedInWords(_ count: Int, _ expected: String) async throws {
        var channel = try InMemoryContent.channel("canalA", state: "live")
        channel.viewers = count
        content.state.withLock { [channel] in $0.channels = [channel] }
        #expect(try await page("/directo").html.contains(">\(expected)</span>"))
    }

    @Test(arguments: [("en", "By the Antena founders"), ("es", "De los fundadores de Antena")])
    func aboutSaysWhoMadeIt(_ language: String, _ byline: String) async throws {
        let html = try await page("/acerca", headers: [.acceptLanguage: language]).html
        #expect(html.contains("· \(byline)</p>") && !html.contains("The Antena"))
    }

    /// A new server has four channels and no publishers.
    @Test func theShareIsOfWhatIsOffered() async throws {
        let channels = try ["a", "b", "c", "d"].map { try InMemoryContent.channel($0) }
        content.state.withLock { state in
            state.channels = channels
            state.titles = (0..<4).map { InMemoryContent.title("t\($0)") }
        }
        let html = try await page("/acerca").html
        #expect(html.contains("<th scope=\"row\">Live channels</th><td>4</td><td>50 %</td>"))
        #expect(html.contains(#"<strong id="on-air">0</strong>"#))
    }

    @Test(arguments: [
        ("es", "es"), ("es-MX,en;q=0.5", "es"), ("en,es;q=0.9", "en"), ("de,es;q=0.4,en;q=0.3", "es"), ("de", "en"),
        ("es;q=0", "en"), ("", "en"), (";;,,q=", "en"),
    ])
    func speaksTheVisitorsLanguage(_ accept: String, _ expected: String) async throws {
        #expect(SiteText.preferred(accept).language == expected)
        #expect(try await page("/", headers: [.acceptLanguage: accept]).html.contains("<html lang=\"\(expected)\">"))
    }

    @Test func aboutShowsCommandLinesWithTheRealPorts() async throws {
        let channels = [try InMemoryContent.channel("canalA")]
        content.state.withLock { $0.channels = channels }
        let html = try await page("/acerca").html
        #expect(html.contains(":9554/live/canalA.stream"))
    }

    @Test(arguments: [
        ("a.b:80", true), ("[::1]:8080", true), ("a\"b", false), ("a b", false), ("", false), ("a/<", false),
    ])
    func takesOnlyPlainHosts(_ authority: String, _ isTaken: Bool) {
        #expect((SitePage.validated(authority) != nil) == isTaken)
    }

    @Test func spanishHasEveryWord() {
        let english = Mirror(reflecting: SiteText.of(.english)).children
        let spanish = Mirror(reflecting: SiteText.of(.spanish)).children
        for (left, right) in zip(english, spanish) where !["radio", "series"].contains(left.label) {
            #expect("\(left.value)" != "\(right.value)", "\(left.label ?? "")")
        }
    }
}
