import MediaCore
import NIOCore
import Testing

@testable import Codecs

/// Closed captions in the frames of a video.
struct ClosedCaptionsTests {
    private static let header: [UInt8] = [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]

    /// A SEI unit with triples of captions.
    private static func information(_ triples: [[UInt8]], hevc: Bool = false, before: [UInt8] = []) -> [UInt8] {
        let data = header + [0x40 | UInt8(triples.count), 0xFF] + triples.flatMap { $0 } + [0xFF]
        let start: [UInt8] = hevc ? [39 << 1, 1] : [6]
        return start + before + [4, UInt8(data.count)] + data + [0x80]
    }

    private static func found(_ units: [[UInt8]], hevc: Bool = false) -> ClosedCaptions {
        let unit = AccessUnit(
            decodeTime: 0, presentationTime: 0, isRandomAccessPoint: true,
            payload: .nalUnits(units.map { FragmentedNALUnit(ByteBuffer(bytes: $0)) }))
        return ClosedCaptions(in: unit, isHEVC: hevc)
    }

    @Test(
        arguments: [
            ([[0xFC, 0x94, 0x2C]], ClosedCaptions.cc1), ([[0xFD, 0x94, 0x2C]], .cc3), ([[0xFF, 1, 2]], .service1),
            ([[0xFC, 0x94, 0x2C], [0xFD, 0x80, 0x80], [0xFE, 1, 2]], [.cc1, .service1]),
            // Padding says nothing, and an invalid pair neither.
            ([[0xFC, 0x80, 0x80]], []), ([[0xF8, 0x94, 0x2C]], []), ([], []),
        ] as [([[UInt8]], ClosedCaptions)]) func servicesAreFound(_ triples: [[UInt8]], _ expected: ClosedCaptions)
    {
        #expect(Self.found([[0x65, 1], Self.information(triples)]) == expected)
        #expect(Self.found([Self.information(triples, hevc: true)], hevc: true) == expected)
    }

    @Test func otherMessagesAreNoCaptions() {
        #expect(Self.found([Self.information([[0xFC, 0x94, 0x2C]], before: [5, 2, 1, 1])]) == .cc1)
        var foreign = Self.information([[0xFC, 0x94, 0x2C]])
        foreign[4] = 0xFF
        #expect(Self.found([foreign]) == [])
        #expect(Self.found([[0x65] + Self.information([[0xFC, 0x94, 0x2C]]).dropFirst()]) == [], "a slice")
    }

    /// Bytes that keep start codes from appearing are no part of the message.
    @Test func emulationPreventionIsTakenOut() {
        let plain = Self.information([[0xFC, 0x94, 0x2C]], before: [5, 3, 0, 0, 0])
        let escaped = [UInt8]([6, 5, 3, 0, 0, 3, 0]) + plain.dropFirst(6)
        #expect(Self.found([escaped]) == .cc1)
    }

    @Test func aMessageThatIsCutOffDoesNoHarm() {
        let whole = Self.information([[0xFC, 0x94, 0x2C], [0xFD, 0x94, 0x2C]])
        for count in 0..<whole.count { _ = Self.found([Array(whole.prefix(count))]) }
        #expect(Self.found([[6] + [UInt8](repeating: 255, count: 2_000)]) == [])
    }
}
