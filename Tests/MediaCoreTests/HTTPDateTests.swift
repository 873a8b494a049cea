import Testing

@testable import MediaCore

struct HTTPDateTests {
    private static let time = WallClockTime(secondsSince1970: 1_795_424_102)

    @Test func readsHeadersAndTimestamps() {
        #expect(HTTPDate.time(ofHeader: "Mon, 23 Nov 2026 08:55:02 GMT") == Self.time)
        #expect(HTTPDate.time(ofTimestamp: "2026-11-23T08:55:02Z") == Self.time)
        #expect(HTTPDate.time(ofTimestamp: "2026-11-23T08:55:02.125Z") == Self.time)
    }

    @Test(arguments: [
        "", "Mon, 23 Foo 2026 08:55:02 GMT", "Mon, 23 Nov 2026 25:55:02 GMT", "Mon, 23 Nov 2026 08:55 GMT",
        "Mon, 99 Nov 2026 08:55:02 GMT", "2026-11-23T08:55:02+01:00", "2026-11-23", "99999-11-23T08:55:02Z",
    ])
    func refusesOtherText(text: String) {
        #expect(HTTPDate.time(ofHeader: text) == nil)
        #expect(HTTPDate.time(ofTimestamp: text) == nil)
    }
}
