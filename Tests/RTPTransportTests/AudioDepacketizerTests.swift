import Codecs
import MediaCore
import NIOCore
import RTPTransport
import TestSupport
import Testing

struct LATMDepacketizerTests {
    static let gstreamer = bytes(hexadecimal: "40002420adca00")
    static let ffmpeg = bytes(hexadecimal: "400024103fc0")

    static func depacketizer(_ config: [UInt8]?, isInBand: Bool = false) throws -> LATMDepacketizer {
        LATMDepacketizer(
            configuration: try config.map { try LATMStreamMuxConfiguration(parsing: $0) }, isInBand: isInBand,
            clockRate: 44_100)
    }

    @Test(
        arguments: [
            (gstreamer, 44_100, 2, [0x12, 0x10, 0x56, 0xE5, 0x00]), (ffmpeg, 44_100, 1, [0x12, 0x08]),
            // RFC 6416 §7.4.1: AAC-LC at 24 kHz.
            (bytes(hexadecimal: "400026103fc0"), 24_000, 1, [0x13, 0x08]),
        ] as [([UInt8], Int, Int, [UInt8])])
    func readsWhatSendersAnnounce(
        _ config: [UInt8], _ sampleRate: Int, _ channelCount: Int, _ specific: [UInt8]
    ) throws {
        let configuration = try LATMStreamMuxConfiguration(parsing: config)
        #expect(configuration.audio.sampleRate == sampleRate)
        #expect(configuration.audio.channelCount == channelCount)
        #expect(configuration.audio.audioSpecificConfig == specific)
        #expect(configuration.subframeCount == 1)
        #expect(configuration.otherDataBitCount == 0)
    }

    @Test(arguments: [(RTPCapture.latm, gstreamer), (RTPCapture.latmOfFFmpeg, ffmpeg)])
    func takesWhatSendersSend(_ capture: [String], _ config: [UInt8]) throws {
        let packets = try RTPCapture.packets(capture)
        let run = DepacketizerRun(try Self.depacketizer(config), packets)
        #expect(run.errors.isEmpty)
        // One byte of length suffices, because the frames are short.
        #expect(run.bytes == packets.map { Array($0.payload.readableBytesView.dropFirst()) })
        #expect(run.timestamps == packets.map(\.rtpTimestamp))
    }

    @Test func putsFragmentsTogetherAndDropsWhatDoesNotAddUp() throws {
        let packets = [
            Sample.packet(1, 0, [4, 1, 2]), Sample.packet(2, 0, marker: true, [3, 4]),
            Sample.packet(3, 1_024, [5, 1, 2]), Sample.packet(4, 1_024, marker: true, [3, 4, 5]),
            Sample.packet(5, 2_048, [2, 8, 9]), Sample.packet(6, 3_072, marker: true, [1, 7]),
        ]
        let whole = DepacketizerRun(try Self.depacketizer(Self.ffmpeg), packets)
        #expect(whole.bytes == [[1, 2, 3, 4], [1, 2, 3, 4, 5], [8, 9], [7]])
        let first = DepacketizerRun(try Self.depacketizer(Self.ffmpeg), packets, losses: [2])
        #expect(first.bytes == [[1, 2, 3, 4], [8, 9], [7]])
        let second = DepacketizerRun(try Self.depacketizer(Self.ffmpeg), packets, losses: [1])
        #expect(second.bytes == [[1, 2, 3, 4, 5], [8, 9], [7]])
    }

    /// Version 0, two frames per element, AAC-LC at 44.1 kHz in stereo. Everything after useSameStreamMux is shifted
    /// by one bit.
    @Test func takesItsConfigurationInBand() throws {
        var writer = BitWriter()
        writer.write(0, 1)  // useSameStreamMux
        writer.write(0b01, 2)
        writer.write(1, 6)
        writer.write(0, 7)
        writer.write(0x1210, 16)
        writer.write(0, 3)
        writer.write(0xFF, 8)
        writer.write(0, 2)
        for frame in [[1, 2], [3]] as [[UInt8]] {
            writer.write(UInt32(frame.count), 8)
            for byte in frame { writer.write(UInt32(byte), 8) }
        }
        var same = BitWriter()
        same.write(1, 1)
        for byte in [1, 4, 1, 5] as [UInt32] { same.write(byte, 8) }
        let run = DepacketizerRun(
            try Self.depacketizer(nil, isInBand: true),
            [
                Sample.packet(1, 0, marker: true, same.bytes), Sample.packet(2, 2_048, marker: true, writer.bytes),
                Sample.packet(3, 4_096, marker: true, same.bytes), Sample.packet(4, 6_144, marker: true, writer.bytes),
            ])
        #expect(run.errors.isEmpty)
        #expect(run.bytes == [[1, 2], [3], [4], [5], [1, 2], [3]])
        #expect(run.offsets == [0, 1_024, 0, 1_024, 0, 1_024])
        #expect(run.configurationCount == 1)
    }

    @Test(arguments: ["", "40", "c0", "4000", "4100240000", "00002410", "40002f103fc0", "40008410", "400024003fc0"])
    func refusesWhatItCannotPlay(config: String) {
        #expect(throws: CodecError.self) { try LATMStreamMuxConfiguration(parsing: bytes(hexadecimal: config)) }
    }
}

/// A bit string, most significant bit first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var bitCount = 0

    mutating func write(_ value: UInt32, _ count: Int) {
        for bit in stride(from: count - 1, through: 0, by: -1) {
            if bitCount % 8 == 0 { bytes.append(0) }
            bytes[bitCount / 8] |= UInt8(value >> UInt32(bit) & 1) << UInt8(7 - bitCount % 8)
            bitCount += 1
        }
    }
}

struct WholePacketDepacketizerTests {
    @Test func passesPacketsOnAsTheyAre() throws {
        let packets = try RTPCapture.packets(RTPCapture.opus)
        let run = DepacketizerRun(WholePacketDepacketizer(), packets)
        #expect(run.bytes == packets.map { Array($0.payload.readableBytesView) })
        #expect(run.units.allSatisfy { $0.isRandomAccessPoint })
    }

    @Test func refusesHalfSamples() {
        let packets = [Sample.packet(1, 0, [1, 2, 3, 4]), Sample.packet(2, 1, [1, 2]), Sample.packet(3, 2, [])]
        let run = DepacketizerRun(WholePacketDepacketizer(bytesPerSample: 4), packets)
        #expect(run.timestamps == [0])
        #expect(run.codes == [.malformed])
    }
}

struct AMRDepacketizerTests {
    /// 12.2 kbit/s (type 7, 244 bits), comfort noise (type 8, 39 bits), no data (type 15).
    @Test func readsBothLayouts() {
        let speech = (0..<31).map { UInt8($0 == 30 ? 0xF0 : $0) }
        let noise: [UInt8] = [1, 2, 3, 4, 0xFE]
        let aligned = DepacketizerRun(
            AMRDepacketizer(layout: .octetAligned),
            [Sample.packet(1, 0, [0xF0, 0xBC, 0xFC, 0x44] + speech + noise)])
        var writer = BitWriter()
        writer.write(15, 4)
        for (follows, type) in [(1, 7), (1, 15), (0, 8)] as [(UInt32, UInt32)] {
            writer.write(follows << 5 | type << 1 | 1, 6)
        }
        for byte in speech.dropLast() { writer.write(UInt32(byte), 8) }
        writer.write(0xF, 4)
        for byte in noise.dropLast() { writer.write(UInt32(byte), 8) }
        writer.write(0x7F, 7)
        let packed = DepacketizerRun(AMRDepacketizer(layout: .bandwidthEfficient), [Sample.packet(1, 0, writer.bytes)])
        for run in [aligned, packed] {
            #expect(run.errors.isEmpty)
            #expect(run.bytes == [[0x3C] + speech, [0x44] + noise])
            #expect(run.offsets == [0, 320])
        }
    }

    @Test(arguments: [[0xF0], [0xF0, 0x3C, 1], [0xF0, 0x4C], [0xF0, 0xBC]] as [[UInt8]])
    func reportsBrokenPackets(payload: [UInt8]) {
        let run = DepacketizerRun(AMRDepacketizer(layout: .octetAligned), [Sample.packet(1, 0, payload)])
        #expect(run.units.isEmpty)
        #expect(run.errors.count == 1)
    }
}

struct MPEGAudioDepacketizerTests {
    @Test func takesWhatGStreamerSendsInPieces() throws {
        let packets = try RTPCapture.packets(RTPCapture.mpegAudio)
        let run = DepacketizerRun(MPEGAudioDepacketizer(clockRate: 90_000), packets)
        #expect(run.errors.isEmpty)
        // MPEG-2, 32 kbit/s at 22.05 kHz: frames of 104 bytes, occasionally 105.
        #expect(run.bytes.map(\.count) == [104, 105, 104])
        #expect(run.bytes.allSatisfy { $0.starts(with: [0xFF, 0xF3]) })
        for lost in packets.indices {
            let run = DepacketizerRun(MPEGAudioDepacketizer(clockRate: 90_000), packets, losses: [lost])
            #expect(run.units.count == 2, "packet \(lost) lost")
        }
    }

    @Test func takesSeveralFramesFromAPacket() throws {
        // MPEG-2 layer III at 8 kbit/s and 24 kHz: 24 bytes for 576 samples.
        let frame = [0xFF, 0xF3, 0x14, 0xC0] + Array(repeating: UInt8(5), count: 20)
        let run = DepacketizerRun(
            MPEGAudioDepacketizer(clockRate: 90_000), [Sample.packet(1, 7, [0, 0, 0, 0] + frame + frame)])
        #expect(run.bytes == [frame, frame])
        #expect(run.offsets == [0, 2_160])
    }

    @Test(
        arguments: [[0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 2, 3, 4], [0, 0, 0, 0, 0xFF, 0xFB, 0, 0]] as [[UInt8]])
    func reportsBrokenPackets(payload: [UInt8]) {
        let run = DepacketizerRun(MPEGAudioDepacketizer(clockRate: 90_000), [Sample.packet(1, 0, payload)])
        #expect(run.units.isEmpty)
        #expect(run.errors.count == 1)
    }
}

struct RobustMPEGAudioDepacketizerTests {
    /// MPEG-1 layer III, 128 kbit/s at 44.1 kHz, with a checksum and main_data_begin 511: 40 bytes.
    static let unit = [0xFF, 0xFA, 0x92, 0x64, 0xAB, 0xCD, 0xFF, 0x85] + Array(repeating: UInt8(9), count: 32)
    /// The smallest bit rate, 32 kbit/s, has room for the ADU; no padding, no checksum, no bit reservoir.
    static let frame =
        [0xFF, 0xFB, 0x10, 0x64, 0x00, 0x05] + Array(repeating: UInt8(9), count: 32)
        + Array(repeating: UInt8(0), count: 66)

    @Test func makesFramesThatNeedNoOther() throws {
        let run = DepacketizerRun(
            RobustMPEGAudioDepacketizer(clockRate: 90_000),
            [
                Sample.packet(1, 0, [0x28] + Self.unit + [0x40, 40] + Self.unit),
                Sample.packet(2, 9_000, [0x40, 40] + Self.unit.prefix(10)),
                Sample.packet(3, 9_000, [0xC0, 40] + Self.unit.dropFirst(10)),
            ])
        #expect(run.errors.isEmpty)
        #expect(run.bytes == [Self.frame, Self.frame, Self.frame])
        #expect(run.offsets == [0, 2_351, 0])
        #expect(try MPEGAudioFrameHeader(parsing: 0xFFFB_1064).frameByteCount == Self.frame.count)
    }

    @Test(
        arguments: [
            [0x40], [0x28, 1, 2], [0x04, 0x00, 0x1A, 0x92, 0x64], [0x04, 0xFF, 0xFD, 0x92, 0x64],
            [0x44, 0xB0, 0xFF, 0xFB, 0x92, 0x64] + Array(repeating: 0, count: 1_196),
        ] as [[UInt8]])
    func reportsBrokenPackets(payload: [UInt8]) {
        let run = DepacketizerRun(RobustMPEGAudioDepacketizer(clockRate: 90_000), [Sample.packet(1, 0, payload)])
        #expect(run.units.isEmpty)
        // The second packet is the beginning of an ADU that is never completed.
        #expect(run.errors.count == (payload == [0x28, 1, 2] ? 0 : 1))
    }
}
