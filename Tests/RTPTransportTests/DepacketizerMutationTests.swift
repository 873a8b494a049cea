import Codecs
import MediaCore
import NIOCore
import RTPTransport
import TestSupport
import Testing

/// Packets are untrusted: damaged ones must only be reported, and must not occupy memory.
struct DepacketizerMutationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var seeds: @Sendable () throws -> [RTPPacket]
        var depacketizer: @Sendable () throws -> any Depacketizer
        var testDescription: String { name }

        init(
            _ name: String, _ seeds: @escaping @Sendable () throws -> [RTPPacket],
            _ depacketizer: @escaping @Sendable () throws -> any Depacketizer
        ) {
            self.name = name
            self.seeds = seeds
            self.depacketizer = depacketizer
        }
    }

    static let h264: @Sendable () -> [RTPPacket] = {
        let payloads: [[UInt8]] = [
            [0x78, 0, 9] + Sample.sps + [0, 4] + Sample.pps, [0x65, 0x88, 1], [0x5C, 0x81, 0x88], [0x5C, 0x01, 3],
            [0x5C, 0x41, 4], [0x79, 0, 0, 0, 2, 0x41, 0x88], [0x7A, 0, 1, 0, 5, 0, 0, 0, 0x41, 0x88],
            [0x7B, 0, 2, 0, 6, 0, 0, 0, 0, 0x65, 0x88], [0x5D, 0x81, 0, 3, 0x88], [0x06, 0x06, 1, 0x84, 0x80],
        ]
        return payloads.enumerated().map { Sample.packet(UInt16($0), UInt32($0 / 3), marker: $0 % 3 == 2, $1) }
    }
    static let amr: @Sendable () -> [RTPPacket] = {
        [[0xF0, 0xBC, 0xFC, 0x44] + Array(repeating: 7, count: 36), [0xF3, 0xC4] + Array(repeating: 9, count: 31)]
            .map { Sample.packet(0, 0, $0) }
    }
    static let adu: @Sendable () -> [RTPPacket] = {
        [[0x40, 40] + RobustMPEGAudioDepacketizerTests.unit, [0x40, 90] + RobustMPEGAudioDepacketizerTests.unit]
            .map { Sample.packet(0, 0, $0) }
    }
    static let av1: @Sendable () -> [RTPPacket] = {
        [AV1DepacketizerTests.unit(0, isKey: true), AV1DepacketizerTests.unit(1, isKey: false)]
    }
    static let aac: @Sendable () -> [RTPPacket] = {
        [[0, 32, 0, 16, 0, 8, 1, 2, 3], [0, 16, 0, 5 << 3, 1, 2], [0, 16, 0, 5 << 3, 3, 4, 5]]
            .map { Sample.packet(0, 0, $0) }
    }
    static let limits: DepacketizerLimits = {
        var limits = DepacketizerLimits()
        limits.maximumAccessUnitByteCount = 4_096
        limits.maximumAudioFrameByteCount = 4_096
        limits.maximumAudioElementByteCount = 4_096
        limits.maximumInterleavedUnitCount = 32
        limits.maximumInterleavedByteCount = 4_096
        return limits
    }()
    static func capture(_ packets: [String]) -> @Sendable () throws -> [RTPPacket] {
        { try RTPCapture.packets(packets) }
    }

    static let cases = [
        Case("H.264", h264) { H264Depacketizer(configuration: nil, limits: limits) },
        Case("H.264 interleaved", h264) {
            H264Depacketizer(
                configuration: try H264DepacketizerTests.configuration(), interleaving: NALUnitInterleaving(depth: 9),
                limits: limits)
        },
        Case("HEVC", capture(RTPCapture.hevc)) { HEVCDepacketizer(configuration: nil, limits: limits) },
        Case("HEVC interleaved", capture(RTPCapture.hevc)) {
            try HEVCDepacketizerTests.depacketizer(interleaving: NALUnitInterleaving(depth: 9), limits: limits)
        },
        Case("AV1", av1) { AV1Depacketizer(limits: limits) },
        Case("VP8", capture(RTPCapture.vp8)) { VP8Depacketizer(limits: limits) },
        Case("VP9", capture(RTPCapture.vp9)) { VP9Depacketizer(limits: limits) },
        Case("H.263+", capture(RTPCapture.h263Plus)) { H263Depacketizer(format: .rfc4629, limits: limits) },
        Case("H.263", capture(RTPCapture.h263Plus)) { H263Depacketizer(format: .rfc2190, limits: limits) },
        Case("LATM", capture(RTPCapture.latm)) {
            LATMDepacketizer(
                configuration: try LATMStreamMuxConfiguration(parsing: LATMDepacketizerTests.gstreamer),
                isInBand: false, clockRate: 44_100, limits: limits)
        },
        Case("LATM in band", capture(RTPCapture.latm)) {
            LATMDepacketizer(configuration: nil, isInBand: true, clockRate: 44_100, limits: limits)
        },
        Case("MPEG audio", capture(RTPCapture.mpegAudio)) {
            MPEGAudioDepacketizer(clockRate: 90_000, limits: limits)
        },
        Case("MPEG audio in ADUs", adu) { RobustMPEGAudioDepacketizer(clockRate: 90_000, limits: limits) },
        Case("AMR", amr) { AMRDepacketizer(layout: .octetAligned, limits: limits) },
        Case("AMR packed", amr) { AMRDepacketizer(layout: .bandwidthEfficient, limits: limits) },
        Case("AAC", aac) {
            AACDepacketizer(
                configuration: try AACConfiguration(sampleRate: 44_100, channelCount: 2), clockRate: 44_100,
                limits: limits)
        },
        Case("L16", capture(RTPCapture.opus)) { WholePacketDepacketizer(bytesPerSample: 2) },
    ]

    private var limitOverhead: Int { 4 * Self.limits.maximumNALUnitCount }

    @Test(arguments: cases)
    func survivesDamagedPackets(_ test: Case) throws {
        var generator = SeededGenerator(seed: test.name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let seeds = try test.seeds()
        var depacketizer = try test.depacketizer()
        var output: [DepacketizerOutput] = []
        for round in 0..<4_000 {
            let seed = seeds[round % seeds.count]
            depacketizer.damagedPacket(seed, &generator, into: &output)
            for case .unit(let unit) in output {
                // The lengths of NAL units and the index of a superframe are added.
                #expect(unit.payload.byteCount <= 4_096 + limitOverhead)
            }
            output.removeAll(keepingCapacity: true)
        }
    }

    /// Without a marker and with a constant timestamp, the held data must stop growing.
    @Test(arguments: cases)
    func aPictureThatNeverEndsIsGivenUp(_ test: Case) throws {
        var depacketizer = try test.depacketizer()
        var output: [DepacketizerOutput] = []
        var hasFailed = false
        for seed in try (0..<100).flatMap({ _ in try test.seeds() }) {
            var packet = seed
            (packet.marker, packet.rtpTimestamp) = (false, 0)
            do { try depacketizer.receive(packet, into: &output) } catch { hasFailed = true }
        }
        let byteCount = output.reduce(0) { count, output in
            if case .unit(let unit) = output { max(count, unit.payload.byteCount) } else { count }
        }
        #expect(hasFailed || !output.isEmpty)
        #expect(byteCount <= 4_096 + limitOverhead)
    }
}

extension Depacketizer {
    fileprivate mutating func damagedPacket(
        _ seed: RTPPacket, _ generator: inout SeededGenerator, into output: inout [DepacketizerOutput]
    ) {
        var payload = Array(seed.payload.readableBytesView)
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !payload.isEmpty {
            // The first bytes matter most.
            let reach = Bool.random(using: &generator) ? min(payload.count, 6) : payload.count
            payload[Int.random(in: 0..<reach, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            payload = Array(payload.prefix(Int.random(in: 0...payload.count, using: &generator)))
        }
        var packet = seed
        packet.payload = ByteBuffer(bytes: payload)
        if Int.random(in: 0..<4, using: &generator) == 0 { packet.marker.toggle() }
        if Int.random(in: 0..<8, using: &generator) == 0 { packetsLost(into: &output) }
        try? receive(packet, into: &output)
    }
}
