import HLSPlaylist
import Testing

struct MediaPlaylistTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var playlist: MediaPlaylist
        var text: String
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "VOD",
            playlist: MediaPlaylist(
                version: 6, targetDuration: 6, playlistType: .vod, hasEndList: true,
                segments: [
                    MediaSegment(uri: "r/0.m4s", duration: 6.006, initializationSection: "r/init.mp4"),
                    MediaSegment(uri: "r/1.m4s", duration: 0.5, initializationSection: "r/init.mp4"),
                ]),
            text: """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MAP:URI="r/init.mp4"
                #EXTINF:6.006000,
                r/0.m4s
                #EXTINF:0.500000,
                r/1.m4s
                #EXT-X-ENDLIST

                """),
        Case(
            name: "live with a discontinuity and a gap",
            playlist: MediaPlaylist(
                version: 6, targetDuration: 4, mediaSequence: 1_234, discontinuitySequence: 3,
                hasIndependentSegments: false,
                segments: [
                    MediaSegment(
                        uri: "a/1.m4s", duration: 2, initializationSection: "a/i.mp4",
                        programDateTime: 1_709_210_096_789),
                    MediaSegment(
                        uri: "b/2.m4s", duration: 1.999_999_6, isDiscontinuous: true,
                        initializationSection: "b/i.mp4", programDateTime: 0, isGap: true),
                ]),
            text: """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:1234
                #EXT-X-DISCONTINUITY-SEQUENCE:3
                #EXT-X-MAP:URI="a/i.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2024-02-29T12:34:56.789Z
                #EXTINF:2.000000,
                a/1.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="b/i.mp4"
                #EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:00.000Z
                #EXT-X-GAP
                #EXTINF:2.000000,
                b/2.m4s

                """),
        Case(
            name: "empty",
            playlist: MediaPlaylist(version: 3, targetDuration: 1, playlistType: .event),
            text: """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:1
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:EVENT
                #EXT-X-INDEPENDENT-SEGMENTS

                """),
    ]

    @Test(arguments: cases)
    func renders(_ item: Case) { #expect(item.playlist.rendered() == item.text) }

    @Test(arguments: cases)
    func parsesWhatItRenders(_ item: Case) throws {
        var expected = item.playlist
        for index in expected.segments.indices {
            expected.segments[index].duration = (expected.segments[index].duration * 1e6).rounded() / 1e6
        }
        #expect(try MediaPlaylist(parsing: item.text) == expected)
        #expect(try MediaPlaylist(parsing: item.text.replacing("\n", with: "\r\n")) == expected)
    }

    @Test(
        arguments: [
            (0.0, "0.000000"), (6.006, "6.006000"), (1e-7, "0.000000"), (1.0 / 3, "0.333333"), (0.9999996, "1.000000"),
            (-4, "0.000000"), (.nan, "0.000000"), (.infinity, "0.000000"), (86_400.000_001, "86400.000001"),
            (1e18, "9223372036854.775807"),
        ] as [(Double, String)])
    func durationsAreDecimalsWithoutExponent(_ value: Double, _ text: String) {
        let playlist = MediaPlaylist(
            version: 3, targetDuration: 1, segments: [MediaSegment(uri: "s", duration: value)])
        #expect(playlist.rendered().contains("#EXTINF:\(text),\n"))
    }

    @Test func skipsUnknownTagsAndComments() throws {
        let playlist = try MediaPlaylist(
            parsing: """
                #EXTM3U
                #EXT-X-TARGETDURATION:10
                # a comment
                #EXT-X-SOMETHING-NEW:A=1,B="two"

                #EXTINF:9.5,A title, with a comma
                http://example.com/first.ts
                """)
        #expect(playlist.version == 1)
        #expect(playlist.segments == [MediaSegment(uri: "http://example.com/first.ts", duration: 9.5)])
    }

    @Test(arguments: [
        ("", 1), ("#EXTM3U8\n", 1), ("\n#EXTM3U", 1), ("#EXTM3U\n", 1),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:six", 2), ("#EXTM3U\n#EXT-X-TARGETDURATION:-6", 2),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\nsegment.ts", 3), ("#EXTM3U\n#EXTINF:abc,\ns.ts", 2),
        ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:99999999999999999999", 2), ("#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@0\"", 2),
        ("#EXTM3U\n#EXT-X-MAP:URI=\"open", 2), ("#EXTM3U\n#EXT-X-MAP:URI=\"a\",URI=\"b\"", 2),
        ("#EXTM3U\n#EXT-X-MAP:URI=\"a\"b", 2), ("#EXTM3U\n#EXT-X-MAP:URI", 2),
        ("#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:yesterday", 2),
    ])
    func saysWhichLineIsWrong(_ text: String, _ line: Int) {
        let error = #expect(throws: PlaylistParsingError.self) { try MediaPlaylist(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.description.hasPrefix("line \(line): ") == true)
    }

    @Test func refusesAPlaylistBeyondItsLimit() {
        #expect(throws: PlaylistParsingError.self) {
            try MediaPlaylist(parsing: "#EXTM3U\n" + String(repeating: "#", count: 17 << 20))
        }
    }
}
