import Codecs
import MediaCore
import NIOCore
import RTPTransport

extension FuzzTarget {
    static let rtpTargets = [
        FuzzTarget(name: "rtp-rtcp", seeds: [InputSplitter.join(packets + reports)]) { bytes in
            var reception = RTPReception(
                formats: [
                    RTPTrackFormat(payloadType: 96, clockRate: 90_000, payload: .h264(nil)),
                    RTPTrackFormat(payloadType: 97, clockRate: 48_000, payload: .mpegAudio),
                ], reorderings: [.udp, .passThrough], source: 1)
            var input = InputSplitter(bytes)
            var events: [RTPReceptionEvent] = []
            var now = NIODeadline.uptimeNanoseconds(0)
            while let piece = input.next() {
                now = now + .milliseconds(7)
                let buffer = ByteBuffer(bytes: piece)
                let trackIndex = Int((piece.last ?? 0) & 1)
                // RTCP's packet types are told apart from RTP's by value (RFC 5761 §4).
                if (192...223).contains(piece.dropFirst().first ?? 0) {
                    reception.receiveRTCP(buffer, trackIndex: trackIndex, arrival: now, into: &events)
                } else {
                    reception.receiveRTP(buffer, trackIndex: trackIndex, arrival: now, into: &events)
                }
                reception.flushOverdue(now: now, into: &events)
                _ = reception.makeReceiverReport(trackIndex: trackIndex, now: now)
                events.removeAll(keepingCapacity: true)
            }
        }
    ]

    private static let packets: [[UInt8]] = [
        [0x80, 0xE0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0x65, 0x88, 0x84],
        [0x80, 0x60, 0, 2, 0, 0, 0x0B, 0xB8, 0, 0, 0, 9, 0x41, 0x9A],
        [0x90, 0x61, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8, 0xBE, 0xDE, 0, 1, 0x10, 1, 0, 0, 1, 2, 3],
    ]
    private static let reports: [[UInt8]] = [
        [0x80, 200, 0, 6, 0, 0, 0, 9, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9],
        [0x81, 201, 0, 7, 0, 0, 0, 9] + Array(repeating: 0, count: 24),
        [0x81, 203, 0, 1, 0, 0, 0, 9], [0x81, 202, 0, 3, 0, 0, 0, 9, 1, 3, 97, 98, 99, 0, 0, 0],
    ]

    // MARK: Depacketizers

    static let depacketizerTargets: [FuzzTarget] =
        [
            depacketizer(
                "h264", 90_000, .h264(nil),
                [[0x67, 0x42, 0xC0, 0x1E], [0x65, 0x88], [0x7C, 0x85, 1], [0x7C, 0x45, 2]]),
            depacketizer(
                "h264-interleaved", 90_000, .h264(nil, interleaving: NALUnitInterleaving(depth: 4)),
                [[0x59, 0, 1, 0, 2, 0x65, 0x88], [0x5D, 0x85, 0, 2, 1], [0x5A, 0, 0, 0, 3, 0, 0, 0, 0x65]]),
            depacketizer(
                "hevc", 90_000, .hevc(nil),
                [[0x40, 1, 0x0C], [0x26, 1, 0xAF], [0x62, 1, 0x93, 1], [0x60, 1, 0, 2, 0x40, 1]]),
            depacketizer("av1", 90_000, .av1, [[0x18, 0x0A, 0x0B, 0, 0, 0], [0x10, 0x30, 0x10]]),
            depacketizer("vp8", 90_000, .vp8, [[0x10, 0x10, 0, 0, 0x9D, 1, 0x2A], [0x90, 0x80, 1, 0]]),
            depacketizer("vp9", 90_000, .vp9, [[0x8C, 0x80, 1, 0x82, 0x49], [0x0A, 0x18, 0, 1]]),
            depacketizer("h263", 90_000, .h263(.rfc4629), [[4, 0, 0x80, 2], [0, 0, 1, 2]]),
            depacketizer("h263-rfc2190", 90_000, .h263(.rfc2190), [[0, 0x40, 0, 0, 0, 0, 0x80, 2]]),
            depacketizer(
                "latm-in-band", 48_000, .latm(nil, isInBand: true), [[0x20, 0, 0x11, 0x90, 0, 0, 0, 5, 1, 2, 3, 4, 5]]),
            depacketizer("mpeg-audio", 90_000, .mpegAudio, [[0, 0, 0, 0, 0xFF, 0xFB, 0x90, 0x64, 0]]),
            depacketizer(
                "mpeg-audio-robust", 90_000, .robustMPEGAudio,
                [[4, 0xFF, 0xFB, 0x90, 0x64], [0x40, 4, 0xFF, 0xFB, 0x90, 0x64]]),
            depacketizer("g711", 8_000, .pcmMuLaw(channelCount: 2), [[1, 2, 3, 4]]),
            depacketizer("l16", 44_100, .linearPCM(channelCount: 2), [[0, 1, 0, 2]]),
        ] + aac + opus + amr

    private static var aac: [FuzzTarget] {
        guard let configuration = try? AACConfiguration(sampleRate: 48_000, channelCount: 2) else { return [] }
        return [
            depacketizer(
                "aac-hbr", 48_000, .aac(configuration, .highBitRate),
                [[0, 16, 0, 16, 1, 2], [0, 32, 0, 8, 0, 8, 1, 2]]),
            depacketizer("aac-lbr", 48_000, .aac(configuration, .lowBitRate), [[0, 8, 4, 1]]),
        ]
    }

    private static var opus: [FuzzTarget] {
        guard let configuration = try? OpusConfiguration(channelCount: 2) else { return [] }
        return [depacketizer("opus", 48_000, .opus(configuration), [[0xFC, 1, 2], [0x7B, 0x42, 1, 2, 3]])]
    }

    private static var amr: [FuzzTarget] {
        [AMRDepacketizer.Layout.octetAligned, .bandwidthEfficient].map { layout in
            depacketizer(
                "amr-\(layout)", 8_000, .adaptiveMultiRate(layout), [[0xF0, 0x3C, 1, 2, 3], [0xF3, 0xC0, 1]])
        }
    }

    /// Each piece of the input is a packet's payload, behind a byte that says what is done to its header.
    private static func depacketizer(
        _ name: String, _ clockRate: UInt32, _ payload: RTPTrackFormat.Payload, _ payloads: [[UInt8]]
    ) -> FuzzTarget {
        FuzzTarget(
            name: "depacketizer-\(name)", seeds: [InputSplitter.join(payloads.map { [0x81] + $0 })]
        ) { bytes in
            var reception = RTPReception(
                formats: [RTPTrackFormat(payloadType: 96, clockRate: clockRate, payload: payload)],
                reorderings: [.passThrough], source: 1)
            var input = InputSplitter(bytes)
            var events: [RTPReceptionEvent] = []
            var sequenceNumber: UInt16 = 65_530
            var timestamp = UInt32.max - 1_000
            var lastDecodeTime: Int64?
            while let piece = input.next() {
                let control = piece.first ?? 0
                // Bit 6 loses a packet, bits 0 to 5 move the clock.
                sequenceNumber &+= control & 0x40 != 0 ? 2 : 1
                timestamp &+= UInt32(control & 0x3F) * 90
                var buffer = ByteBuffer()
                RTPPacket(
                    payloadType: 96, marker: control & 0x80 != 0, sequenceNumber: sequenceNumber,
                    rtpTimestamp: timestamp, synchronizationSource: 5, payload: ByteBuffer(bytes: piece.dropFirst())
                ).write(into: &buffer)
                reception.receiveRTP(buffer, trackIndex: 0, arrival: .uptimeNanoseconds(1), into: &events)
                for case .unit(let unit, _) in events {
                    precondition(unit.payload.byteCount > 0, "a unit has content")
                    if let last = lastDecodeTime {
                        precondition(unit.decodeTime > last, "decode times grow")
                    }
                    lastDecodeTime = unit.decodeTime
                }
                events.removeAll(keepingCapacity: true)
            }
        }
    }
}
