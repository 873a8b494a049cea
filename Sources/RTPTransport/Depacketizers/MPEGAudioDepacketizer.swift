import Codecs
import MediaCore
import NIOCore

/// Depacketizes MPEG audio (RFC 2250 §3.5, payload type 14): whole frames, or fragments of one.
package struct MPEGAudioDepacketizer: Depacketizer {
    private let clockRate: UInt32
    private let limits: DepacketizerLimits
    private var partial = FrameAssembly()
    private var partialHeader: MPEGAudioFrameHeader?

    /// - Parameters:
    ///   - clockRate: ticks per second of the RTP timestamps, as the SDP declares it; 90,000 according to RFC 2250.
    ///   - limits: limits on what the publisher may send.
    package init(clockRate: UInt32, limits: DepacketizerLimits = .standard) {
        self.clockRate = clockRate
        self.limits = limits
    }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var payload = packet.payload
        guard payload.readableBytes > 0 else { return }
        guard let (_, offset) = payload.readMultipleIntegers(as: (UInt16, UInt16).self) else {
            throw DepacketizationError(.truncated, packet, "the MPEG audio header is cut off")
        }
        if offset > 0 { return try receiveFragment(payload, offset: Int(offset), packet, into: &output) }
        partial.clear()
        var sampleCount: Int64 = 0
        var frameCount = 0
        while payload.readableBytes > 0 {
            let header = try frameHeader(payload, packet)
            frameCount += 1
            guard frameCount <= limits.maximumAudioFrameCount else {
                throw DepacketizationError(.limitExceeded, packet, "the packet has more than \(frameCount - 1) frames")
            }
            guard let frame = payload.readSlice(length: header.frameByteCount) else {
                // A frame that exceeds the packet must be the only one in it.
                guard frameCount == 1 else {
                    throw DepacketizationError(.truncated, packet, "the MPEG audio frame is cut off")
                }
                partialHeader = header
                partial.begin(rtpTimestamp: packet.rtpTimestamp)
                return try partial.append(payload, maximumByteCount: limits.maximumAudioFrameByteCount, packet)
            }
            let offset = sampleCount * Int64(clockRate) / Int64(header.sampleRate)
            output.append(.unit(.audio(frame, rtpTimestamp: packet.rtpTimestamp, tickOffset: offset)))
            sampleCount += Int64(header.samplesPerFrame)
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) { partial.clear() }

    private func frameHeader(
        _ payload: ByteBuffer, _ packet: RTPPacket
    ) throws(DepacketizationError) -> MPEGAudioFrameHeader {
        guard let word = payload.getInteger(at: payload.readerIndex, as: UInt32.self) else {
            throw DepacketizationError(.truncated, packet, "the MPEG audio frame header is cut off")
        }
        do {
            return try MPEGAudioFrameHeader(parsing: word)
        } catch {
            throw DepacketizationError(error.code == .unsupported ? .unsupported : .malformed, packet, "\(error)")
        }
    }

    /// Appends a fragment; fragments follow one another without a gap.
    private mutating func receiveFragment(
        _ payload: ByteBuffer, offset: Int, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        // The loss of the previous fragments has already been reported.
        guard let rtpTimestamp = partial.rtpTimestamp, let header = partialHeader else { return }
        guard offset == partial.byteCount, partial.byteCount + payload.readableBytes <= header.frameByteCount else {
            partial.clear()
            throw DepacketizationError(.malformed, packet, "the fragment does not continue its MPEG audio frame")
        }
        try partial.append(payload, maximumByteCount: limits.maximumAudioFrameByteCount, packet)
        guard partial.byteCount == header.frameByteCount else { return }
        output.append(.unit(.audio(partial.frame, rtpTimestamp: rtpTimestamp)))
        partial.clear()
    }
}
