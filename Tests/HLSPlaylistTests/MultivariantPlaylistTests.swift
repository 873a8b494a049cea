import HLSPlaylist
import Testing

struct MultivariantPlaylistTests {
    struct Case: Sendable {
        var playlist: MultivariantPlaylist
        var text: String
    }

    static let cases = [
        Case(
            playlist: MultivariantPlaylist(
                version: 6,
                renditions: [
                    Rendition(
                        type: .audio, groupID: "audio", name: "spa audio", language: "spa", isDefault: true,
                        isAutoselect: true, channels: 2, uri: "audio.m3u8"),
                    Rendition(
                        type: .audio, groupID: "audio", name: "other", isDefault: false, isAutoselect: false, uri: nil),
                ],
                variants: [
                    VariantStream(
                        bandwidth: 2_500_001, averageBandwidth: 2_000_000, codecs: ["avc1.64001f", "mp4a.40.2"],
                        resolution: .init(width: 1_280, height: 720), frameRate: 29.97, videoRange: "PQ",
                        audioGroupID: "audio", uri: "video.m3u8")
                ]),
            text: """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="spa audio",LANGUAGE="spa",DEFAULT=YES,AUTOSELECT=YES,\
                CHANNELS="2",URI="audio.m3u8"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="other",DEFAULT=NO,AUTOSELECT=NO
                #EXT-X-STREAM-INF:BANDWIDTH=2500001,AVERAGE-BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",\
                RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=PQ,AUDIO="audio"
                video.m3u8

                """),
        Case(
            playlist: MultivariantPlaylist(
                version: 3, hasIndependentSegments: false,
                variants: [
                    VariantStream(bandwidth: 64_000, averageBandwidth: nil, codecs: ["mp4a.40.2"], uri: "audio.m3u8")
                ]),
            text: """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
                audio.m3u8

                """),
        Case(
            playlist: MultivariantPlaylist(
                version: 6,
                iFrameVariants: [
                    IFrameVariantStream(
                        bandwidth: 90_000, averageBandwidth: 80_000, codecs: ["avc1.64001f"],
                        resolution: .init(width: 1_280, height: 720), uri: "iframes.m3u8"),
                    IFrameVariantStream(
                        bandwidth: 1, averageBandwidth: nil, codecs: ["hvc1"], videoRange: "HLG", uri: "i"),
                ]),
            text: """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,AVERAGE-BANDWIDTH=80000,CODECS="avc1.64001f",\
                RESOLUTION=1280x720,URI="iframes.m3u8"
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS="hvc1",VIDEO-RANGE=HLG,URI="i"

                """),
    ]

    @Test(arguments: cases)
    func renders(_ item: Case) { #expect(item.playlist.rendered() == item.text) }

    @Test(arguments: cases)
    func parsesWhatItRenders(_ item: Case) throws {
        #expect(try MultivariantPlaylist(parsing: item.text) == item.playlist)
    }

    @Test(arguments: [
        ("Say \"hello\"", "Say 'hello'"), ("two\r\nlines", "two  lines"), ("a,b=c", "a,b=c"), ("año 日本", "año 日本"),
        ("line\u{2028}separator", "line\u{2028}separator"), ("", ""),
    ])
    func aNameCannotBreakOutOfItsQuotes(_ name: String, _ expected: String) throws {
        let playlist = MultivariantPlaylist(
            version: 6,
            renditions: [
                Rendition(type: .subtitles, groupID: "g", name: name, isDefault: false, isAutoselect: true, uri: "u")
            ])
        let parsed = try MultivariantPlaylist(parsing: playlist.rendered())
        #expect(parsed.renditions.map(\.name) == [expected])
        #expect(parsed.renditions.map(\.uri) == ["u"])
    }

    @Test(
        arguments: [
            (29.97, "29.970"), (25, "25.000"), (59.9406, "59.941"), (23.976, "23.976"), (0.0004, "0.000"),
            (.nan, "0.000"),
            (-1, "0.000"),
        ] as [(Double, String)])
    func frameRatesHaveThreeDecimals(_ rate: Double, _ text: String) {
        let variant = VariantStream(
            bandwidth: 1, averageBandwidth: nil, codecs: ["avc1.64001f"], frameRate: rate, uri: "v")
        #expect(MultivariantPlaylist(version: 6, variants: [variant]).rendered().contains("FRAME-RATE=\(text)\n"))
    }

    @Test(arguments: [
        ("#EXTM3U\nvideo.m3u8", 2), ("#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\nv", 2),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=many\nv", 2), ("#EXTM3U\n#EXT-X-MEDIA:TYPE=SMELL", 2),
        ("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"x\"", 2), ("#EXTM3U\n#EXT-X-VERSION:x", 2), ("not a playlist", 1),
        ("#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1", 2),
        ("#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:URI=\"u\"", 2),
    ])
    func saysWhichLineIsWrong(_ text: String, _ line: Int) {
        let error = #expect(throws: PlaylistParsingError.self) { try MultivariantPlaylist(parsing: text) }
        #expect(error?.line == line)
    }
}
