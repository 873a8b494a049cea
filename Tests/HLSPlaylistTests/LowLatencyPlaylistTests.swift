import HLSPlaylist
import Testing

struct LowLatencyPlaylistTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var playlist: MediaPlaylist
        var text: String
        var testDescription: String { name }
    }

    /// Durations that six decimals represent exactly, so that parsing returns the same values.
    static let cases = [
        Case(
            name: "low latency",
            playlist: MediaPlaylist(
                version: 6, targetDuration: 2, mediaSequence: 7, discontinuitySequence: 1,
                segments: [
                    MediaSegment(uri: "e/7.m4s", duration: 2, initializationSection: "e/i.mp4", programDateTime: 0),
                    MediaSegment(
                        uri: "e/8.m4s", duration: 1, initializationSection: "e/i.mp4", programDateTime: 2_000,
                        parts: [
                            PartialSegmentReference(uri: "e/8.0.m4s", duration: 0.5, isIndependent: true),
                            PartialSegmentReference(uri: "e/8.1.m4s", duration: 0.5, isGap: true),
                        ]),
                ],
                partTarget: 0.5,
                preloadHints: [
                    PreloadHint(type: .part, uri: "f/9.1.m4s"), PreloadHint(type: .map, uri: "g/i.mp4"),
                ],
                renditionReports: [
                    RenditionReport(uri: "audio.m3u8", lastMediaSequence: 9, lastPart: 0),
                    RenditionReport(uri: "iframes.m3u8", lastMediaSequence: 8),
                ]
            ).with(
                serverControl: ServerControl(
                    canBlockReload: true, canSkipUntil: 12, canSkipDateRanges: true, holdBack: 6, partHoldBack: 1.5),
                openSegment: OpenSegment(
                    parts: [PartialSegmentReference(uri: "f/9.0.m4s", duration: 0.25)], isDiscontinuous: true,
                    initializationSection: "f/i.mp4", programDateTime: 4_000)),
            text: """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:2
                #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12.000000,CAN-SKIP-DATERANGES=YES,\
                HOLD-BACK=6.000000,PART-HOLD-BACK=1.500000
                #EXT-X-PART-INF:PART-TARGET=0.500000
                #EXT-X-MEDIA-SEQUENCE:7
                #EXT-X-DISCONTINUITY-SEQUENCE:1
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MAP:URI="e/i.mp4"
                #EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:00.000Z
                #EXTINF:2.000000,
                e/7.m4s
                #EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:02.000Z
                #EXT-X-PART:DURATION=0.500000,URI="e/8.0.m4s",INDEPENDENT=YES
                #EXT-X-PART:DURATION=0.500000,URI="e/8.1.m4s",GAP=YES
                #EXTINF:1.000000,
                e/8.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="f/i.mp4"
                #EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:04.000Z
                #EXT-X-PART:DURATION=0.250000,URI="f/9.0.m4s"
                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="f/9.1.m4s"
                #EXT-X-PRELOAD-HINT:TYPE=MAP,URI="g/i.mp4"
                #EXT-X-RENDITION-REPORT:URI="audio.m3u8",LAST-MSN=9,LAST-PART=0
                #EXT-X-RENDITION-REPORT:URI="iframes.m3u8",LAST-MSN=8

                """),
        Case(
            name: "I-frames as byte ranges",
            playlist: MediaPlaylist(
                version: 5, targetDuration: 2, hasIndependentSegments: false, hasEndList: true,
                segments: [
                    MediaSegment(
                        uri: "all.mp4", duration: 2, initializationSection: "all.mp4",
                        byteRange: ByteRange(length: 5_000, offset: 1_200)
                    ).with(initializationByteRange: ByteRange(length: 800, offset: 0)),
                    MediaSegment(
                        uri: "all.mp4", duration: 1.5, initializationSection: "all.mp4",
                        byteRange: ByteRange(length: 4_000)
                    ).with(initializationByteRange: ByteRange(length: 800, offset: 0)),
                ],
                isIFramesOnly: true
            ).with(start: StartPoint(timeOffset: -4.5, isPrecise: true)),
            text: """
                #EXTM3U
                #EXT-X-VERSION:5
                #EXT-X-TARGETDURATION:2
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-I-FRAMES-ONLY
                #EXT-X-START:TIME-OFFSET=-4.500000,PRECISE=YES
                #EXT-X-MAP:URI="all.mp4",BYTERANGE="800@0"
                #EXT-X-BYTERANGE:5000@1200
                #EXTINF:2.000000,
                all.mp4
                #EXT-X-BYTERANGE:4000
                #EXTINF:1.500000,
                all.mp4
                #EXT-X-ENDLIST

                """),
        Case(
            name: "parts and hints as byte ranges",
            playlist: MediaPlaylist(
                version: 3, targetDuration: 2, hasIndependentSegments: false, partTarget: 1,
                preloadHints: [PreloadHint(type: .part, uri: "s", byteRangeStart: 30, byteRangeLength: 7)]
            ).with(
                serverControl: ServerControl(holdBack: 6.25, partHoldBack: 3),
                openSegment: OpenSegment(parts: [
                    PartialSegmentReference(
                        uri: "s", duration: 1, isIndependent: true, byteRange: ByteRange(length: 10, offset: 0)),
                    PartialSegmentReference(uri: "s", duration: 1, byteRange: ByteRange(length: 20)),
                ])),
            text: """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:2
                #EXT-X-SERVER-CONTROL:HOLD-BACK=6.250000,PART-HOLD-BACK=3.000000
                #EXT-X-PART-INF:PART-TARGET=1.000000
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-PART:DURATION=1.000000,URI="s",BYTERANGE="10@0",INDEPENDENT=YES
                #EXT-X-PART:DURATION=1.000000,URI="s",BYTERANGE="20"
                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s",BYTERANGE-START=30,BYTERANGE-LENGTH=7

                """),
        Case(
            name: "date ranges and a skip of them",
            playlist: MediaPlaylist(
                version: 10, targetDuration: 2, mediaSequence: 3, hasIndependentSegments: false,
                segments: [MediaSegment(uri: "9", duration: 2)],
                dateRanges: [
                    DateRange(
                        id: "ad-1", dateRangeClass: "com.example.ad", startDate: 1_000, endDate: 31_000, duration: 30,
                        plannedDuration: 30.5,
                        attributes: [
                            DateRange.Attribute("X-TITLE", .string("a, \"b\"".replacing("\"", with: "'"))),
                            DateRange.Attribute("X-COUNT", .number(2.5)),
                            DateRange.Attribute("SCTE35-OUT", .hexadecimal([0xFC, 0x00, 0x2F])),
                        ].compactMap(\.self)),
                    DateRange(id: "song-2", dateRangeClass: "songs", startDate: 0, endsOnNext: true),
                ]
            ).with(skip: SkippedSegments(count: 6, recentlyRemovedDateRanges: ["a", "b c"])),
            text: """
                #EXTM3U
                #EXT-X-VERSION:10
                #EXT-X-TARGETDURATION:2
                #EXT-X-MEDIA-SEQUENCE:3
                #EXT-X-SKIP:SKIPPED-SEGMENTS=6,RECENTLY-REMOVED-DATERANGES="a\tb c"
                #EXTINF:2.000000,
                9
                #EXT-X-DATERANGE:ID="ad-1",CLASS="com.example.ad",START-DATE="1970-01-01T00:00:01.000Z",\
                END-DATE="1970-01-01T00:00:31.000Z",DURATION=30.000000,PLANNED-DURATION=30.500000,\
                X-TITLE="a, 'b'",X-COUNT=2.500000,SCTE35-OUT=0xFC002F
                #EXT-X-DATERANGE:ID="song-2",CLASS="songs",START-DATE="1970-01-01T00:00:00.000Z",END-ON-NEXT=YES

                """),
        Case(
            name: "a skip of segments only",
            playlist: MediaPlaylist(
                version: 9, targetDuration: 2, dateRanges: [DateRange(id: "i", startDate: 0)]
            ).with(skip: SkippedSegments(count: 1)),
            text: """
                #EXTM3U
                #EXT-X-VERSION:9
                #EXT-X-TARGETDURATION:2
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-SKIP:SKIPPED-SEGMENTS=1
                #EXT-X-DATERANGE:ID="i",START-DATE="1970-01-01T00:00:00.000Z"

                """),
    ]

    @Test(arguments: cases)
    func renders(_ item: Case) { #expect(item.playlist.rendered() == item.text) }

    @Test(arguments: cases)
    func parsesWhatItRenders(_ item: Case) throws {
        #expect(try MediaPlaylist(parsing: item.text) == item.playlist)
    }

    @Test(arguments: cases)
    func needsTheVersionItHas(_ item: Case) { #expect(item.playlist.requiredVersion == item.playlist.version) }

    @Test func versionsFollowTheTagsInUse() {
        var playlist = MediaPlaylist(version: 1, targetDuration: 2, segments: [MediaSegment(uri: "a", duration: 2)])
        #expect(playlist.requiredVersion == 3)
        playlist.segments[0].isGap = true
        #expect(playlist.requiredVersion == 3)
        playlist.segments[0].byteRange = ByteRange(length: 1, offset: 0)
        #expect(playlist.requiredVersion == 4)
        playlist.openSegment = OpenSegment(parts: [], initializationSection: "i")
        #expect(playlist.requiredVersion == 6)
        playlist.openSegment = nil
        playlist.isIFramesOnly = true
        #expect(playlist.requiredVersion == 4)
    }

    @Test func writesNoPartsWithoutAPartTarget() throws {
        var playlist = try #require(Self.cases.first).playlist
        playlist.partTarget = nil
        let parsed = try MediaPlaylist(parsing: playlist.rendered())
        #expect(parsed.segments.allSatisfy { $0.parts.isEmpty })
        #expect(parsed.openSegment == nil)
    }

    @Test func writesNoHintBesideAnEnd() throws {
        var playlist = try #require(Self.cases.first).playlist
        playlist.hasEndList = true
        #expect(!playlist.rendered().contains("PRELOAD-HINT"))
    }

    @Test func hasNothingOfLowLatencyWhereNoneIsWanted() throws {
        let text = try #require(Self.cases.first).playlist.withoutLowLatencyTags().rendered()
        for tag in ["PART", "PRELOAD", "REPORT", "CAN-BLOCK", "f/"] { #expect(!text.contains(tag), "\(tag)") }
        #expect(text.contains("#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12.000000,"))
        #expect(text.contains("e/8.m4s\n"))
    }

    @Test(
        arguments: [
            ([], 0, 0), ([], 9, 0), ([2, 2, 2, 2], 0, 1), ([2, 2, 2, 2], 0.5, 2), ([2, 2, 2, 2], 7, 4),
            ([0.1, 0.2, 5.7], 0, 0), ([7], 0, 1), ([2, 2], 0, 0),
        ] as [([Double], Double, Int)])
    func partsStayForThreeTargetDurations(_ durations: [Double], _ open: Double, _ index: Int) {
        #expect(
            MediaPlaylist.firstIndexWithParts(ofDurations: durations, openDuration: open, targetDuration: 2) == index)
    }

    /// A URI or text from outside must not create new lines or attributes.
    @Test(arguments: [
        ("plain/ä b.m4s", "plain/ä%20b.m4s"), ("a\nb", "a%0Ab"), ("a\r\n#EXT-X-ENDLIST", "a%0D%0A#EXT-X-ENDLIST"),
        ("#fragment", "%23fragment"), ("a\",GAP=YES", "a%22,GAP=YES"), ("a\u{7F}", "a%7F"), ("?a=b#c", "?a=b#c"),
    ])
    func aURICannotBreakOut(_ uri: String, _ expected: String) throws {
        let playlist = MediaPlaylist(
            version: 6, targetDuration: 2,
            segments: [
                MediaSegment(
                    uri: uri, duration: 2, initializationSection: uri,
                    parts: [PartialSegmentReference(uri: uri, duration: 1)])
            ],
            partTarget: 1, preloadHints: [PreloadHint(type: .part, uri: uri)],
            renditionReports: [RenditionReport(uri: uri, lastMediaSequence: 1)])
        let parsed = try MediaPlaylist(parsing: playlist.rendered())
        #expect(parsed.segments.map(\.uri) == [expected])
        #expect(parsed.segments.first?.initializationSection == expected)
        #expect(parsed.segments.first?.parts == [PartialSegmentReference(uri: expected, duration: 1)])
        #expect(parsed.preloadHints.map(\.uri) == [expected])
        #expect(parsed.renditionReports.map(\.uri) == [expected])
        #expect(!parsed.hasEndList)
    }

    @Test func aDateRangeCannotBreakOut() throws {
        let attribute = try #require(DateRange.Attribute("X-A", .string("1\"\n#EXT-X-ENDLIST\u{85}")))
        let playlist = MediaPlaylist(
            version: 6, targetDuration: 2,
            dateRanges: [
                DateRange(id: "i\",X=\"", startDate: 0, attributes: [attribute, attribute])
            ]
        ).with(skip: SkippedSegments(count: 1, recentlyRemovedDateRanges: ["a\tb\"", ""]))
        let parsed = try MediaPlaylist(parsing: playlist.rendered())
        #expect(parsed.dateRanges.map(\.id) == ["i',X='"])
        #expect(parsed.dateRanges.first?.attributes.map(\.value) == [.string("1' #EXT-X-ENDLIST ")])
        #expect(parsed.skip?.recentlyRemovedDateRanges == ["a b'"])
        #expect(!parsed.hasEndList)
    }

    @Test(
        arguments: [
            ("X-A", .string(""), true), ("X-A-1", .number(0), true), ("X-A", .hexadecimal([0]), true),
            ("SCTE35-CMD", .hexadecimal([1]), true), ("SCTE35-CMD", .string("0x01"), false),
            ("SCTE35-X", .hexadecimal([1]), false), ("X-", .string("a"), false), ("ID", .string("a"), false),
            ("x-a", .string("a"), false), ("X-a", .string("a"), false), ("X-A=1,Y", .string("a"), false),
            ("X-Ä", .string("a"), false), ("X-A", .number(-1), false), ("X-A", .number(.nan), false),
            ("X-A", .number(.infinity), false), ("X-A", .hexadecimal([]), false),
            ("X-" + String(repeating: "A", count: 126), .number(1), true),
            ("X-" + String(repeating: "A", count: 127), .number(1), false),
        ] as [(String, DateRange.Attribute.Value, Bool)])
    func takesOnlyAttributesThatCanBeWritten(_ name: String, _ value: DateRange.Attribute.Value, _ isAllowed: Bool) {
        #expect((DateRange.Attribute(name, value) != nil) == isAllowed)
    }

    @Test func anOpenEndHasItsClassAndNoOtherEnd() {
        let withoutClass = DateRange(id: "a", startDate: 0, duration: 1, endsOnNext: true)
        let withClass = DateRange(id: "b", dateRangeClass: "c", startDate: 0, endDate: 1, duration: 1, endsOnNext: true)
        let text = MediaPlaylist(version: 3, targetDuration: 2, dateRanges: [withoutClass, withClass]).rendered()
        #expect(text.contains("ID=\"a\",START-DATE=\"1970-01-01T00:00:00.000Z\",DURATION=1.000000\n"))
        #expect(text.contains("CLASS=\"c\",START-DATE=\"1970-01-01T00:00:00.000Z\",END-ON-NEXT=YES\n"))
    }

    @Test(arguments: [
        "EXT-X-SERVER-CONTROL:HOLD-BACK=six", "EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=-1", "EXT-X-PART-INF:X=1",
        "EXT-X-PART-INF:PART-TARGET=nan", "EXT-X-PART:URI=\"a\"", "EXT-X-PART:DURATION=1",
        "EXT-X-PART:DURATION=inf,URI=\"a\"", "EXT-X-PART:DURATION=1,URI=\"a\",BYTERANGE=\"x\"",
        "EXT-X-PRELOAD-HINT:URI=\"a\"", "EXT-X-PRELOAD-HINT:TYPE=PART",
        "EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"a\",BYTERANGE-START=-1", "EXT-X-RENDITION-REPORT:LAST-MSN=1",
        "EXT-X-RENDITION-REPORT:URI=\"a\",LAST-MSN=99999999999999999999", "EXT-X-SKIP:X=1",
        "EXT-X-SKIP:SKIPPED-SEGMENTS=-1", "EXT-X-BYTERANGE:", "EXT-X-BYTERANGE:1@", "EXT-X-BYTERANGE:-1",
        "EXT-X-BYTERANGE:1@-1", "EXT-X-DATERANGE:ID=\"a\"", "EXT-X-DATERANGE:ID=\"a\",START-DATE=\"now\"",
        "EXT-X-DATERANGE:START-DATE=\"1970-01-01T00:00:00Z\"", "EXT-X-START:PRECISE=YES", "EXT-X-START:TIME-OFFSET=inf",
        "EXT-X-MAP:URI=\"a\",BYTERANGE=\"b\"", "EXTINF:inf,", "EXTINF:-1,",
    ])
    func saysWhichLineIsWrong(_ tag: String) {
        let error = #expect(throws: PlaylistParsingError.self) {
            try MediaPlaylist(parsing: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#\(tag)\n")
        }
        #expect(error?.line == 3)
    }

    @Test func readsWhatOthersWrite() throws {
        let playlist = try MediaPlaylist(
            parsing: """
                #EXTM3U
                #EXT-X-TARGETDURATION:4
                #EXT-X-PART-INF:PART-TARGET=0.33334
                #EXT-X-PRELOAD-HINT:TYPE=SMELL,URI="a"
                #EXT-X-RENDITION-REPORT:URI="a.m3u8"
                #EXT-X-DATERANGE:ID="s",START-DATE="2020-01-02T21:55:44.000Z",SCTE35-IN=0xfC0,X-N=12,X-BAD=text,OTHER="1"
                """)
        #expect(playlist.preloadHints.isEmpty)
        #expect(playlist.renditionReports == [RenditionReport(uri: "a.m3u8", lastMediaSequence: nil)])
        #expect(playlist.dateRanges.first?.attributes.map(\.value) == [.hexadecimal([0x0F, 0xC0]), .number(12)])
    }
}
