import Codecs
import MediaCore
import NIOCore
import RTPTransport
import Testing

/// Units are packetized, as for readers, and depacketized again.
struct PacketizerRoundTripTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var format: RTPPayloadFormat
        /// The first bytes of the unit; the rest is invented.
        var header: [UInt8]
        var sizes: [Int]
        var depacketizer: @Sendable () -> any Depacketizer

        var testDescription: String { name }
    }

    /// Sizes around the limits at which one more packet is needed, for payload headers of 1 to 4 bytes.
    static let sizes = [20] + [1_388, 2 * 1_388, 3 * 1_388].flatMap { size in (-13...3).map { size + $0 } }

    static let cases: [Case] = [
        Case(
            name: "VP8", format: .foreign(.vp8), header: [0x10, 0, 0, 0x9D, 0x01, 0x2A], sizes: sizes,
            depacketizer: { VP8Depacketizer() }),
        Case(
            name: "VP9", format: .foreign(.vp9), header: [0x82, 0x49, 0x83, 0x42], sizes: sizes,
            depacketizer: { VP9Depacketizer() }),
        Case(
            name: "H.263", format: .foreign(.h263), header: [0, 0, 0x80, 0x02, 0x08], sizes: sizes,
            depacketizer: { H263Depacketizer(format: .rfc4629) }),
        // Layer III at 128 kbit/s and 44,100 Hz; layer II at 384 kbit/s and 32,000 Hz.
        Case(
            name: "MP3", format: .foreign(.mpegAudio(sampleRate: 44_100, channelCount: 2)),
            header: [0xFF, 0xFB, 0x90, 0x00], sizes: [417],
            depacketizer: { MPEGAudioDepacketizer(clockRate: 90_000) }),
        Case(
            name: "MP2", format: .foreign(.mpegAudio(sampleRate: 32_000, channelCount: 2)),
            header: [0xFF, 0xFD, 0xE8, 0x00], sizes: [1_728],
            depacketizer: { MPEGAudioDepacketizer(clockRate: 90_000) }),
        // 12.2 kbit/s: 244 bits and a few bits of padding.
        Case(
            name: "AMR", format: .foreign(.adaptiveMultiRate), header: [0x3C] + Array(repeating: 0xF0, count: 31),
            sizes: [32],
            depacketizer: { AMRDepacketizer(layout: .octetAligned) }),
        Case(
            name: "Opus", format: .opus(channelCount: 2), header: [0xFC], sizes: [1, 3, 400, 1_276],
            depacketizer: { WholePacketDepacketizer() }),
    ]

    @Test(arguments: cases)
    func framesComeBack(_ test: Case) throws {
        for size in test.sizes {
            var packetizer = PacketizerFixture.packetizer(test.format)
            let rest = (0..<size - test.header.count).map { UInt8(truncatingIfNeeded: $0 % 251) }
            let frame = test.header + rest
            let unit = PacketizerFixture.unit(.frame(ByteBuffer(bytes: frame)))
            let run = DepacketizerRun(
                test.depacketizer(), try PacketizerFixture.packets(packetizer.packetize(unit)))
            #expect(run.errors.isEmpty, "\(size) bytes")
            let isSame = run.bytes == [frame]
            #expect(isSame, "\(size) bytes")
            #expect(run.units.map(\.isRandomAccessPoint) == [true])
        }
    }

    @Test(arguments: sizes)
    func hevcPicturesComeBack(_ size: Int) throws {
        let format = try PacketizerFixture.hevc()
        var packetizer = PacketizerFixture.packetizer(format)
        // IDR_W_RADL.
        let slice = PacketizerFixture.nalUnit(header: [0x26, 0x01], byteCount: size, isRestored: false)
        // The first picture waits for the second one, because its marker is not trusted before.
        let units = [Int64(0), 3_000].map { PacketizerFixture.unit(.nalUnits([slice]), at: $0) }
        let packets = try units.flatMap { try PacketizerFixture.packets(packetizer.packetize($0)) }
        let run = DepacketizerRun(HEVCDepacketizer(configuration: nil), packets)
        #expect(run.errors.isEmpty)
        let isSame = run.bytes == units.map { PacketizerFixture.stored($0.payload) }
        #expect(isSame)
        #expect(run.configurationCount == 1)
    }

    /// A stream of libaom, the same as in VideoDepacketizerTests.
    static let av1SequenceHeader = PacketizerFixture.bytes("00000002aff79fff3008")

    @Test(arguments: sizes)
    func av1TemporalUnitsComeBack(_ size: Int) throws {
        let configuration = try AV1Configuration(sequenceHeaderPayload: Self.av1SequenceHeader)
        var packetizer = PacketizerFixture.packetizer(.av1(configuration))
        let payload = PacketizerFixture.bytes("140022a000008003") + [UInt8](repeating: 7, count: size)
        let length: [UInt8] = [UInt8(payload.count & 0x7F) | 0x80, UInt8(payload.count >> 7)]
        let frame = [0x32] + length + payload
        // A temporal delimiter, which is not sent. The sequence header is missing and must be added.
        let unit = PacketizerFixture.unit(.frame(ByteBuffer(bytes: [0x12, 0] + frame)))
        let packets = try PacketizerFixture.packets(packetizer.packetize(unit))
        #expect(packets.allSatisfy { $0.payload.readableBytes <= 1_388 })
        let run = DepacketizerRun(AV1Depacketizer(), packets)
        #expect(run.errors.isEmpty)
        let header = [0x0A, UInt8(Self.av1SequenceHeader.count)] + Self.av1SequenceHeader
        // The depacketizer writes sizes in their shortest form.
        let expected = payload.count > 127 ? frame : [0x32, UInt8(payload.count)] + payload
        let isSame = run.bytes == [header + expected]
        #expect(isSame)
    }

    /// OBUs with wrong sizes, and without sizes.
    @Test(arguments: [[], [0x32], [0x30, 1], [0x32, 5, 1], [0x36], [0x32, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0x12, 0]])
    func av1ThatIsNoneIsLeftOut(_ bytes: [UInt8]) throws {
        let configuration = try AV1Configuration(sequenceHeaderPayload: Self.av1SequenceHeader)
        var packetizer = PacketizerFixture.packetizer(.av1(configuration))
        let unit = PacketizerFixture.unit(.frame(ByteBuffer(bytes: bytes)))
        #expect(packetizer.packetize(unit).isEmpty)
    }
}
