import Testing

@testable import APIClient

struct MediaTimestampTests {
    @Test(
        "Times as people write them",
        arguments: [
            ("0", 0), ("83.5", 83.5), ("1:23", 83), ("1:23.5", 83.5), ("01:02:03", 3_723), ("100:00", 6_000),
            ("7200", 7_200),
        ] as [(String, Double)]) func reads(_ text: String, _ seconds: Double)
    { #expect(MediaTimestamp(text)?.seconds == seconds) }

    @Test(arguments: [
        "", ":", "1:", ":1", "1:60", "1:2:3:4", "-1", "+1", "1.2.3", "1.5:00", "1e3", "nan", "0x10", "1 ",
    ])
    func refuses(_ text: String) { #expect(MediaTimestamp(text) == nil) }
}
