import GatewayTestSupport
import LiveChannels
import MediaCore
import TestSupport
import Testing

@testable import HLSDelivery

struct MediaRequestTests {
    @Test(
        arguments: [
            ("/live/canalA.stream/playlist.m3u8", .channel("canalA"), .playlist("playlist")),
            ("/live/canalA.stream/playlist.m3u8?format=ts", .channel("canalA"), .playlist("playlist")),
            ("/live/canalA.stream/video.m3u8?a=/x/file", .channel("canalA"), .playlist("video")),
            ("//live//canalA.stream//audio.m3u8", .channel("canalA"), .playlist("audio")),
            (
                "/live/canalA.stream/e1/video/17.m4s", .channel("canalA"),
                .segment(version: "e1", rendition: "video", number: 17)
            ),
            (
                "/live/canalA.stream/e1/video/init-3.mp4", .channel("canalA"),
                .initializationSection(version: "e1", rendition: "video", number: 3)
            ),
            (
                "/live/canalA.stream/e1/ts/17.ts", .channel("canalA"),
                .transportStreamSegment(epoch: "e1", number: 17)
            ),
            ("/%6Cive/canal%41%2Estream/video%2Em3u8", .channel("canalA"), .playlist("video")),
            (
                "/live/canalA.stream/%65%31/video/%31%37.m4s", .channel("canalA"),
                .segment(version: "e1", rendition: "video", number: 17)
            ),
            (
                "/live/canalA.stream/e1/video/17.2.m4s", .channel("canalA"),
                .part(epoch: "e1", rendition: "video", number: 17, index: 2)
            ),
            ("/vod/bunny/playlist.m3u8", .title(.title(id: "bunny")), .playlist("playlist")),
            ("/vod/bu%6Eny/playlist.m3u8", .title(.title(id: "bunny")), .playlist("playlist")),
            ("/vod/_definst_/bunny/audio.m3u8", .title(.title(id: "bunny")), .playlist("audio")),
            (
                "/vod/bunny/r1/audio/init.mp4", .title(.title(id: "bunny")),
                .initializationSection(version: "r1", rendition: "audio", number: nil)
            ),
            (
                "/vod/bunny/r1/audio-2/0.m4s", .title(.title(id: "bunny")),
                .segment(version: "r1", rendition: "audio-2", number: 0)
            ),
            (
                "/vod/bunny/r1/ts/3.ts", .title(.title(id: "bunny")), .transportStreamSegment(epoch: "r1", number: 3)
            ),
            (
                "/vod/bunny/s1/subtitles-es/3.vtt", .title(.title(id: "bunny")),
                .subtitleSegment(version: "s1", rendition: "subtitles-es", number: 3)
            ),
            ("/vod/bunny/subtitles-es.vtt", .title(.title(id: "bunny")), .subtitles(name: "subtitles-es")),
            ("/vod/bunny/chapters.json", .title(.title(id: "bunny")), .chapters),
            ("/vod/bunny/key?token=1-ab", .title(.title(id: "bunny")), .key),
            ("/vod/mp4:sample.mp4/playlist.m3u8", .title(.titleFile(name: "sample.mp4")), .playlist("playlist")),
            ("/vod/mp4%3Asample.mp4/playlist.m3u8", .title(.titleFile(name: "sample.mp4")), .playlist("playlist")),
            (
                "/vod/_definst_/mp4:sample.mp4/playlist.m3u8", .title(.titleFile(name: "sample.mp4")),
                .playlist("playlist")
            ),
            ("/vod/mp4:a/b/c.mp4/playlist.m3u8", .title(.titleFile(name: "a/b/c.mp4")), .playlist("playlist")),
            (
                "/vod/%5Fdefinst_/mp4%3Aa/b%20(1).mp4/playlist.m3u8", .title(.titleFile(name: "a/b (1).mp4")),
                .playlist("playlist")
            ),
            ("/vod/mp4:mi%20v%C3%ADdeo.mp4/video.m3u8", .title(.titleFile(name: "mi vídeo.mp4")), .playlist("video")),
            (
                "/vod/mp4:a/b.mp4/r1/video/12.m4s", .title(.titleFile(name: "a/b.mp4")),
                .segment(version: "r1", rendition: "video", number: 12)
            ),
            ("/radio/song-1/playlist.m3u8", .title(.track(id: "song-1")), .playlist("playlist")),
            ("/radio/song-1/file", .title(.track(id: "song-1")), .file),
            (
                "/radio/song-1/r9/audio/3.m4s", .title(.track(id: "song-1")),
                .segment(version: "r9", rendition: "audio", number: 3)
            ),
        ] as [(String, MediaRequest.Source, MediaRequest.Resource)])
    func mediaIsRecognized(target: String, source: MediaRequest.Source, resource: MediaRequest.Resource) throws {
        let request = try #require(MediaRequest(target: target))
        #expect(request.source == source)
        #expect(request.resource == resource)
    }

    @Test(arguments: [
        "", "/", "*", "live/canalA.stream/playlist.m3u8", "http://host/live/canalA.stream/playlist.m3u8",
        "/api/v1/channels", "/api/v1/titles/x/file", "/radio", "/radio/song-1", "/videoclub/a/playlist.m3u8",
        "/live/canalA/playlist.m3u8", "/live/canalA.stream", "/live/canalA.stream/", "/live/canalA.stream/index.html",
        "/live/a/b.stream/playlist.m3u8", "/live/canalA.stream/file", "/live/playlist.m3u8",
        "/live/canalA.stream/e1/1.m4s", "/live/canalA.stream/e1/video/-1.m4s", "/live/canalA.stream/e1/video/+1.m4s",
        "/live/canalA.stream/e1/video/.m4s", "/live/canalA.stream/e1/video/1e3.m4s",
        "/live/canalA.stream/e1/video/99999999999999999999.m4s", "/live/canalA.stream/e1/video/١.m4s",
        "/live/canalA.stream/e1/video/init-.mp4", "/live/canalA.stream/e1/video/init--1.mp4",
        "/live/canalA.stream/e1/video/init-+1.mp4", "/live/canalA.stream/e1/video/initial.mp4",
        "/live/canalA.stream/e1/video/extra/1.m4s", "/live/canalA.stream/e1/video/1.ts",
        "/live/canalA.stream/e1/ts/-1.ts", "/live/canalA.stream/e1/ts/.ts",
        "/live/canalA.stream/e1/s/1.vtt", "/live/canalA.stream/key", "/live/canalA.stream/chapters.json",
        "/vod/bunny/file", "/vod/mp4:a.mp4/file", "/vod/playlist.m3u8",
        "/vod/_definst_/playlist.m3u8", "/vod/mp4:/playlist.m3u8", "/vod/a/b/playlist.m3u8",
        "/vod/mp4:../../etc/passwd/playlist.m3u8", "/vod/mp4:%2e%2e%2fsecret.mp4/playlist.m3u8",
        // A slash that a combining mark hides from a comparison of characters.
        "/vod/mp4:..%2F%CC%B8b.mp4/playlist.m3u8", "/vod/mp4:%2F%CC%81b.mp4/playlist.m3u8",
        "/vod/mp4:a/./b.mp4/playlist.m3u8", "/vod/mp4:%2Fetc%2Fpasswd/playlist.m3u8",
        "/vod/mp4:a%00.mp4/playlist.m3u8", "/vod/mp4:a%2.mp4/playlist.m3u8", "/vod/mp4:a%+1.mp4/playlist.m3u8",
        "/vod/mp4:a%zz.mp4/playlist.m3u8", "/vod/mp4:%FF%FE.mp4/playlist.m3u8", "/vod/%/playlist.m3u8",
        "/radio/a/b/file", "/radio//file",
        // Caches keep media for a year: each resource has one address.
        "/live/canalA.stream/e1/video/init-03.mp4", "/live/canalA.stream/e1/video/017.m4s",
        "/live/canalA.stream/e1/video/17.00.m4s", "/live/canalA.stream/e1/ts/017.ts",
        "/vod/bunny/s1/subtitles-es/00.vtt",
        "/live/.stream/playlist.m3u8", "/vod/mp4:a%2Fb.mp4/playlist.m3u8",
        // Names that could be read in two ways.
        "/vod/mi%20film/playlist.m3u8", "/vod/film/..%2f..%2fvod%2fother%2fplaylist.m3u8", "/vod/film/a:b.m3u8",
        "/vod/film/a b.m3u8", "/vod/film/%C3%B1.m3u8", "/live/canal%20A.stream/playlist.m3u8",
        "/live/canalA.stream/../canalB.stream/playlist.m3u8", "/vod/film/r%2f1/video/0.m4s",
        "/vod/film/r1:/video/0.m4s", "/vod/film/r1/vi%C3%B1deo/0.m4s", "/radio/so:ng/file", "/radio/so%20ng/file",
        "/vod/film/subtitles-%C3%B1.vtt", "/vod/film/.m3u8", "/vod/film/../playlist.m3u8",
        "/live/canalA.stream//e1/video/17.m4s", "//vod/bunny/r1/audio/init.mp4", "/vod/bunny/r1/audio/0.m4s/",
    ])
    func everythingElseIsTheRouters(target: String) {
        #expect(MediaRequest(target: target) == nil)
    }

    @Test func pathsHaveALimit() {
        let name = String(repeating: "a", count: MediaRequest.maximumPathByteCount)
        #expect(MediaRequest(target: "/vod/\(name)/playlist.m3u8") == nil)
        #expect(MediaRequest(target: "/vod/\(name.dropLast(100))/playlist.m3u8") != nil)
        #expect(MediaRequest(target: String(repeating: "/", count: 100_000)) == nil)
    }

    /// A copy that is kept under the canonical address is a copy of what was requested: reading it again leads to the
    /// same, and there is no other spelling of it.
    @Test(arguments: MediaPaths.all(file: "a b/\u{F1} (1).mp4".addingEscapes)) func addressesHaveOneSpelling(
        target: String
    ) throws {
        let request = try #require(MediaRequest(target: target))
        let canonical = request.canonicalAddress
        let again = try #require(MediaRequest(target: canonical), "\(canonical)")
        #expect(again.source == request.source && again.resource == request.resource)
        #expect(again.canonicalAddress == canonical)
        let path = String(target.prefix { $0 != "?" })
        // What is encoded already has no further spellings.
        for spelling in path.contains("%") ? [] : AddressSpellings.equal(to: path) {
            let other = MediaRequest(target: spelling + target.dropFirst(path.count))
            #expect(other?.canonicalAddress == canonical, "\(spelling)")
        }
        for spelling in AddressSpellings.odd(path) {
            guard let other = MediaRequest(target: spelling) else { continue }
            #expect(other.source == request.source || other.canonicalPath != request.canonicalPath, "\(spelling)")
            #expect(MediaRequest(target: other.canonicalAddress)?.canonicalAddress == other.canonicalAddress)
        }
    }

    /// Nobody gets from one channel's folder to another's media.
    @Test(arguments: MediaPaths.all()) func noSpellingCrosses(target: String) {
        let path = String(target.prefix { $0 != "?" })
        for folder in ["/live/canalB.stream", "/vod/free", "/signed/x/live/canalB.stream", "/signed/x/vod/free"] {
            for spelling in AddressSpellings.crossing(from: folder, to: path) {
                #expect(MediaRequest(target: spelling) == nil, "\(spelling)")
            }
        }
    }

    @Test(
        arguments: [
            (
                "/live/canalA.stream/video.m3u8?_HLS_part=2&x=1&_HLS_msn=5&_HLS_skip=v2",
                "/live/canalA.stream/video.m3u8?_HLS_msn=5&_HLS_part=2&_HLS_skip=YES"
            ),
            ("/live/canalA.stream/video.m3u8?_HLS_msn=05", "/live/canalA.stream/video.m3u8?_HLS_msn=5"),
            ("/live/canalA.stream/playlist.m3u8?ll=0", "/live/canalA.stream/playlist.m3u8?ll=0"),
            ("/live/canalA.stream/playlist.m3u8?ll=7", "/live/canalA.stream/playlist.m3u8"),
            ("/live/canalA.stream/playlist.m3u8?ll=1&codecs=3", "/live/canalA.stream/playlist.m3u8?ll=1&codecs=3"),
            ("/live/canalA.stream/playlist.m3u8?format=ts&ll=0", "/live/canalA.stream/playlist.m3u8?format=ts"),
            (
                "/live/canalA.stream/video.m3u8?start=2026-11-21T17%3A20%3A00.5Z",
                "/live/canalA.stream/video.m3u8?start=1795281600.500"
            ),
            ("/vod/film/playlist.m3u8?format=fmp4&ll=0&_HLS_msn=4", "/vod/film/playlist.m3u8?format=fmp4"),
            ("/vod/film/playlist.m3u8?jwt=a&token=b&exp=1&id=a&sig=c", "/vod/film/playlist.m3u8"),
            ("/vod/film/r1/video/0.m4s?format=ts&_HLS_msn=4&v=1", "/vod/film/r1/video/0.m4s"),
            ("/signed/exp=1,id=a,sig=b/vod/film/r1/video/0.m4s?x", "/signed/vod/film/r1/video/0.m4s"),
            ("/vod/_definst_/mp4%3Aa/b%20c.mp4/video.m3u8", "/vod/mp4:a/b%20c.mp4/video.m3u8"),
            ("//live//canalA.stream/video.m3u8", "/live/canalA.stream/video.m3u8"),
        ] as [(String, String)])
    func addressesNameWhatTheAnswerDependsOn(target: String, address: String) throws {
        let request = try #require(MediaRequest(target: target))
        #expect(request.canonicalAddress == address)
        #expect(request.directives.conflict == nil)
        guard request.signature == nil else { return }
        let again = try #require(MediaRequest(target: address))
        #expect(again.canonicalAddress == address)
        #expect(again.directives.start == request.directives.start)
    }

    @Test(arguments: [
        "/vod/film-1/r.1_2~3/video/17.m4s", "/signed/exp=1,id=a,sig=b/live/canalA.stream/e/video/1.0.m4s",
    ])
    func allEqualSpellingsAreReadAlike(path: String) {
        let reading = MediaPath(path[...])
        for spelling in AddressSpellings.equal(to: path) { #expect(MediaPath(spelling[...]) == reading, "\(spelling)") }
    }

    @Test(arguments: DeliveryDirectives.Parameter.allCases)
    func aParameterHasOneSpellingAndOneValue(parameter: DeliveryDirectives.Parameter) {
        func conflict(_ query: String) -> DeliveryDirectives.Conflict? {
            DeliveryDirectives(query: query[...]).conflict
        }
        let name = parameter.rawValue
        #expect(conflict("\(name)=1") == nil && conflict("x=1&\(name)=1&x=2&y") == nil)
        #expect(conflict("\(name)=1&\(name)=1") == .isRepeated(parameter))
        #expect(conflict("\(name)&a=b&\(name)=1") == .isRepeated(parameter))
        let swapped = String(name.map { Character($0.isUppercase ? $0.lowercased() : $0.uppercased()) })
        for other in [name.uppercased(), swapped, name.capitalized, name.addingEscapesToAll] where other != name {
            #expect(conflict("\(other)=1") == .isSpelledDifferently(parameter), "\(other)")
        }
    }

    /// A mark after a separator hides it from a comparison of characters, and not from a proxy.
    @Test func separatorsAreBytes() throws {
        let request = try #require(MediaRequest(target: "/live/canalA.stream/video.m3u8?\u{301}x&\u{301}y=1&ll=0"))
        #expect(request.resource == .playlist("video") && request.directives.form == .wholeSegments)
        #expect(DeliveryDirectives(query: "_HLS_msn=5&\u{301}a&_HLS_msn=6").conflict == .isRepeated(.mediaSequence))
    }
}

extension String {
    fileprivate var addingEscapes: String { URIEncoding.encoded(self, keepsSlashes: true) }
    fileprivate var addingEscapesToAll: String { utf8.map { "%\(String($0, radix: 16))" }.joined() }
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }

    /// A remembered target keeps its meaning, and the memory is bounded.
    @Test func rememberedTargetsMeanTheSame() throws {
        let cache = MediaRequestCache()
        for round in 0..<2 {
            for number in 0..<3 * MediaRequestCache.maximumCount {
                let target = "/live/canalA.stream/video.m3u8?_HLS_msn=\(number)&_HLS_part=\(round)"
                #expect(cache.request(for: target) == MediaRequest(target: target))
                #expect(cache.request(for: target) == MediaRequest(target: target))
            }
            #expect(cache.count <= MediaRequestCache.maximumCount)
        }
        #expect(cache.request(for: "/comunidad") == nil)
    }

    /// Addresses that are one viewer's own, and long ones, take no place.
    @Test func targetsOfOneViewerAreNotRemembered() {
        let cache = MediaRequestCache()
        let long = String(repeating: "x", count: MediaRequestCache.maximumTargetByteCount)
        for target in [
            "/signed/exp=1,id=2,sig=3/vod/bunny/playlist.m3u8", "/vod/bunny/playlist.m3u8?exp=1&id=2&sig=3",
            "/vod/bunny/playlist.m3u8?token=abc", "/live/canalA.stream/video.m3u8?\(long)", "/comunidad",
        ] {
            #expect(cache.request(for: target) == MediaRequest(target: target))
        }
        #expect(cache.count == 0)
    }
}
