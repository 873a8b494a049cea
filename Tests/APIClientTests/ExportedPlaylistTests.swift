import Testing

@testable import APIClient

/// The rewriting of playlists by `antena export`.
struct ExportedPlaylistTests {
    @Test func queriesGoAndFilesAreNamedOnce() throws {
        let playlist = try ExportedPlaylist(
            """
            #EXTM3U
            #EXT-X-KEY:METHOD=AES-128,URI="key?token=1-ab",IV=0x01
            #EXT-X-MAP:URI="r1/video/init.mp4"
            #EXT-X-KEY:METHOD=AES-128,URI="key?token=1-ab"
            #EXTINF:6.000000,
            r1/video/0.m4s
            """)
        #expect(playlist.files == ["key", "r1/video/init.mp4", "r1/video/0.m4s"])
        #expect(playlist.requests["key"] == "key?token=1-ab")
        #expect(playlist.text.contains("URI=\"key\",IV=0x01\n") && !playlist.text.contains("token"))
    }

    /// Subtitles and thumbnails are named by the manifest alone.
    @Test func aManifestNamesWholeFilesAndSheets() {
        let manifest = ExportedManifest(
            """
            <MPD type="static" mediaPresentationDuration="PT1250.5S">
            <SegmentTemplate media="r1/video/$Number$.m4s" startNumber="0"/>
            <BaseURL>subtitles-es.vtt</BaseURL><BaseURL>../../etc/passwd</BaseURL><BaseURL>.hidden</BaseURL>
            <SegmentTemplate timescale="1" presentationTimeOffset="0" \
            media="storyboard-$Number$.jpg?v=r1" startNumber="1" duration="500"/>
            </MPD>
            """)
        #expect(
            manifest.files == ["subtitles-es.vtt", "storyboard-1.jpg", "storyboard-2.jpg", "storyboard-3.jpg"])
        #expect(manifest.requests["storyboard-3.jpg"] == "storyboard-3.jpg?v=r1")
        #expect(manifest.text.contains("media=\"storyboard-$Number$.jpg\" startNumber"))
    }

    /// A web server with plain files gives out no licenses.
    @Test func aManifestNamesNoLicenses() {
        let protection = """
            <ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cbcs" cenc:default_KID="1"/>
            <ContentProtection schemeIdUri="urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e">
            """
        let manifest = ExportedManifest(
            "\(protection)\n <dashif:Laurl>/vod/film/license?token=1-ab</dashif:Laurl>\n</ContentProtection>\n")
        #expect(manifest.text == "\(protection)\n</ContentProtection>\n" && manifest.files.isEmpty)
    }

    @Test(arguments: [
        "../x.m4s", "/etc/passwd", "http://other/x.m4s", "a//b.m4s", "a/../b.m4s", ".hidden", "a/b/c/d/e/f/g/h/i.m4s",
        "#EXT-X-MAP:URI=\"../../init.mp4\"", "#EXT-X-MAP:URI=\"data:x\"",
    ])
    func nothingLeadsOutOfTheFolder(_ line: String) {
        #expect(throws: ExportedPlaylist.ForeignAddress.self) { try ExportedPlaylist("#EXTM3U\n\(line)\n") }
    }
}
