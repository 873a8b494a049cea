package import Codecs
package import MediaCore
import NIOCore

/// What a depacketizer has finished.
package enum DepacketizerOutput: Sendable {
    case unit(DepacketizedUnit)
    /// Parameter sets that came in band and differ from those before; they hold for the units that follow.
    case configuration(CodecConfiguration)
}

/// A picture or a frame of audio, still on the publisher's clock.
package struct DepacketizedUnit: Sendable {
    package var rtpTimestamp: UInt32
    /// Ticks after `rtpTimestamp`: a packet of several audio frames has the timestamp of the first.
    package var tickOffset: Int64
    package var isRandomAccessPoint: Bool
    /// Units before this one were dropped.
    package var followsGap: Bool
    package var payload: SamplePayload
}

extension DepacketizedUnit {
    /// Any frame of audio can be decoded by itself, or does as if.
    static func audio(_ frame: ByteBuffer, rtpTimestamp: UInt32, tickOffset: Int64 = 0) -> DepacketizedUnit {
        DepacketizedUnit(
            rtpTimestamp: rtpTimestamp, tickOffset: tickOffset, isRandomAccessPoint: true, followsGap: false,
            payload: .frame(frame))
    }
}

/// What becomes of the pictures behind a loss.
package enum PacketLossPolicy: Hashable, Sendable {
    /// None is passed on before decoding can start afresh: never a broken picture.
    case dropUntilRandomAccess
    /// Only those that are themselves damaged are dropped; players conceal the rest as they can.
    case dropDamaged
}

/// What a publisher may put into one unit.
package struct DepacketizerLimits: Hashable, Sendable {
    /// The largest IDR pictures of 4K cameras have some 2 MB; H.264 level 5.2 allows little more in practice.
    package var maximumAccessUnitByteCount = 8 * 1_024 * 1_024
    /// Slices, parameter sets and SEI of one picture; encoders use up to some 70 (one slice per macroblock row).
    package var maximumNALUnitCount = 512
    /// Pieces of one picture: 8 MB in packets of 1400 bytes are 6,000. Each costs a reference, however small.
    package var maximumFragmentCount = 8 * 1_024
    /// A raw AAC frame has at most 6144 bits a channel (ISO/IEC 14496-3 §4.5.3.1), 6144 bytes for eight.
    package var maximumAudioFrameByteCount = 8 * 1_024
    /// An AudioMuxElement: 64 frames of 128 kbit/s, their lengths and the configuration.
    package var maximumAudioElementByteCount = 32 * 1_024
    /// Audio frames in one packet: 1400 bytes at 16 kbit/s hold some 20.
    package var maximumAudioFrameCount = 64

    /// Interleaved units that wait for earlier ones: sprop-interleaving-depth goes to 32767 (RFC 6184 §8.1), and each
    /// waiting unit keeps its packets. A stream that asks for more is put in order as far as this goes.
    package var maximumInterleavedUnitCount = 256
    /// The bytes of those: two of the largest pictures.
    package var maximumInterleavedByteCount = 16 * 1_024 * 1_024
    /// OBUs of one temporal unit of AV1: tile groups, headers, metadata.
    package var maximumOBUCount = 512
    /// Layers of one picture of VP9: 8 fit into the index of a superframe (VP9 bitstream specification annex B).
    package var maximumLayerFrameCount = 8
    /// How long after the last IDR a recovery point counts as a random access point, in ticks of 90 kHz. Three seconds
    /// are more than the distance of key frames that live encoders have, and what a viewer waits at most.
    package var recoveryPointPatience: UInt32 = 3 * 90_000

    package static let standard = DepacketizerLimits()

    package init() {}
}

/// Why the unit that was being put together is dropped.
package struct DepacketizationError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        case truncated
        case malformed
        case unsupported
        case limitExceeded
    }

    package var code: Code
    package var sequenceNumber: UInt16
    package var reason: String

    package init(_ code: Code, _ packet: RTPPacket, _ reason: String) {
        self.code = code
        sequenceNumber = packet.sequenceNumber
        self.reason = reason
    }

    package var description: String { "RTP packet \(sequenceNumber): \(reason)" }
}
