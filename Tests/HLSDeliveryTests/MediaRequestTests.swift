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
            ("/live/.stream/playlist.m3u8", .channel(""), .playlist("playlist")),
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
            ("/vod/mp4:a%2Fb.mp4/playlist.m3u8", .title(.titleFile(name: "a/b.mp4")), .playlist("playlist")),
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
}
