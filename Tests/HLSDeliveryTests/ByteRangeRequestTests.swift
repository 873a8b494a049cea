import Testing

@testable import HLSDelivery

struct ByteRangeRequestTests {
    /// RFC 9110 §14.1.2's examples are of 10,000 bytes.
    @Test(
        arguments: [
            ("bytes=0-499", 0..<500), ("bytes=500-999", 500..<1_000), ("bytes=-500", 9_500..<10_000),
            ("bytes=9500-", 9_500..<10_000), ("bytes=0-0", 0..<1), ("bytes=-1", 9_999..<10_000),
            ("bytes=0-99999", 0..<10_000), ("bytes=9999-9999", 9_999..<10_000), ("bytes=-20000", 0..<10_000),
            ("bytes= 5 - 9 ", 5..<10), ("Bytes=0-", 0..<10_000), ("bytes=0-9223372036854775807", 0..<10_000),
            ("bytes=007-008", 7..<9),
        ] as [(String, Range<Int64>)])
    func oneRangeIsResolved(header: String, expected: Range<Int64>) throws {
        let request = try #require(ByteRangeRequest(header))
        #expect(request.resolved(byteCount: 10_000) == expected)
    }

    @Test(arguments: ["bytes=10000-", "bytes=10000-10001", "bytes=-0", "bytes=9223372036854775807-"])
    func whatLiesOutsideCannotBeSatisfied(header: String) throws {
        #expect(try #require(ByteRangeRequest(header)).resolved(byteCount: 10_000) == nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=5", "bytes=a-b", "bytes=5-4", "bytes=0-1,3-4", "bytes=-5-6",
        "bytes=+1-2", "bytes=1--2", "items=0-5", "bytes=0x1-2", "bytes=99999999999999999999-", "bytes=1.5-2",
        "bytes=١-٢",
    ])
    func everythingElseIsIgnored(header: String) {
        #expect(ByteRangeRequest(header) == nil)
    }

    @Test func nothingOfAnEmptyFileCanBeSatisfied() throws {
        for header in ["bytes=0-", "bytes=0-0", "bytes=-1"] {
            #expect(try #require(ByteRangeRequest(header)).resolved(byteCount: 0) == nil)
        }
    }
}
