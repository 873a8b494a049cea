import MediaCore
import Testing

@Suite struct CivilTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_784_261_700_123, "2026-07-17T04:15:00.123Z"),
        ] as [(Int64, String)])
    func showsATime(milliseconds: Int64, text: String) {
        #expect("\(CivilTime(millisecondsSince1970: milliseconds))" == text)
    }

    @Test(arguments: [Int64.min, Int64.max])
    func showsAnyNumber(milliseconds: Int64) {
        let time = CivilTime(millisecondsSince1970: milliseconds)
        #expect((0..<24).contains(time.hour) && (0..<60).contains(time.minute) && (0..<60).contains(time.second))
        #expect((0..<1_000).contains(time.millisecond))
    }
}
