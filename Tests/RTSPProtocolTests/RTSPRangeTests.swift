import NIOCore
import RTSPProtocol
import Testing

struct RTSPRangeTests {
    static let ranges: [(text: String, range: RTSPRange, rendered: String)] = [
        ("npt=0-", RTSPRange(start: .at(.zero)), "npt=0.000-"),
        ("npt=0.000-", RTSPRange(start: .at(.zero)), "npt=0.000-"),
        (
            "npt=12.345-60.5", RTSPRange(start: .at(.milliseconds(12_345)), end: .milliseconds(60_500)),
            "npt=12.345-60.500"
        ),
        (
            "npt = 1:02:03.25 - 10:00:00", RTSPRange(start: .at(.milliseconds(3_723_250)), end: .hours(10)),
            "npt=3723.250-36000.000"
        ),
        ("NPT=now-", RTSPRange(start: .now), "npt=now-"),
        ("npt=-30", RTSPRange(start: nil, end: .seconds(30)), "npt=-30.000"),
        ("npt=5", RTSPRange(start: .at(.seconds(5))), "npt=5.000-"),
        ("npt=5.-", RTSPRange(start: .at(.seconds(5))), "npt=5.000-"),
        ("npt=0.0000000019-;time=19970123T143720Z", RTSPRange(start: .at(.nanoseconds(1))), "npt=0.000-"),
    ]

    @Test(arguments: ranges.indices) func readsAndWritesNormalPlayTime(index: Int) throws {
        let (text, range, rendered) = Self.ranges[index]
        #expect(try RTSPRange(parsing: text) == range)
        #expect(range.rendered == rendered)
    }

    @Test(arguments: [
        ("", RTSPRange.ParsingError.unknownUnit), ("clock=19961108T143720.25Z-", .unknownUnit),
        ("smpte=10:07:00-", .unknownUnit), ("npt", .unknownUnit), ("bytes=0-1", .unknownUnit),
        ("npt=", .malformed), ("npt=-", .malformed), ("npt=x-", .malformed), ("npt=1-x", .malformed),
        ("npt=--1", .malformed), ("npt=1:2-", .malformed), ("npt=1:2:3:4-", .malformed), ("npt=1.2.3-", .malformed),
        ("npt=20-10", .malformed), ("npt=0.000-CSeq: 5", .malformed), ("npt=.5-", .malformed),
        ("npt=99999999999999999999-", .malformed), ("npt=9223372036854775807:59:59-", .malformed),
        ("npt=1000000001-", .malformed), ("npt=٣-", .malformed), ("npt=+1-", .malformed),
    ])
    func refusesWhatIsNone(text: String, error: RTSPRange.ParsingError) {
        #expect(throws: error) { try RTSPRange(parsing: text) }
    }
}
