import NIOCore
import Testing

@testable import TransportStream

/// Messages about splices. The examples are those of SCTE 35 2019a, annex 14.
struct SpliceInformationTests {
    private static func parse(_ base64: [UInt8]) -> SpliceInformation? {
        SpliceInformation(ByteBuffer(bytes: base64.dropLast(4)))
    }

    /// `splice_insert`: out at 0x07369c02e, for 0x00052ccf5.
    private static let insert: [UInt8] = [
        0xFC, 0x30, 0x2F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xF0, 0x14, 0x05, 0x48, 0x00, 0x00, 0x8F,
        0x7F, 0xEF, 0xFE, 0x73, 0x69, 0xC0, 0x2E, 0xFE, 0x00, 0x52, 0xCC, 0xF5, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0A,
        0x00, 0x08, 0x43, 0x55, 0x45, 0x49, 0x00, 0x00, 0x01, 0x35, 0x62, 0xDB, 0xA3, 0x0A,
    ]

    @Test func aBreakBegins() throws {
        let splice = try #require(Self.parse(Self.insert))
        #expect(splice.kind == .out && splice.event == 0x4800_008F)
        #expect(splice.time == 0x0_7369_C02E && splice.duration == 0x0052_CCF5)
        // The checksum is that of the message.
        #expect(splice.bytes == Self.insert)
        #expect(!splice.isReached(at: 0x0_7369_C02D) && splice.isReached(at: 0x0_7369_C02E))
        #expect(splice.isReached(at: 0x0_7369_C02E + (3 << 33)))
    }

    @Test func whatSaysNothingIsPassedOver() {
        var null = Self.insert
        null[13] = 0
        #expect(Self.parse(null) == nil)
        var cancelled = Self.insert
        cancelled[18] = 0xFF
        #expect(Self.parse(cancelled) == nil)
        var encrypted = Self.insert
        encrypted[4] = 0x80
        #expect(Self.parse(encrypted) == nil)
        for count in 0..<Self.insert.count { _ = Self.parse(Array(Self.insert.prefix(count))) }
    }
}
