package import Codecs
import MediaCore
import NIOCore

/// Depacketizes MP4A-LATM (RFC 6416 §6, and its predecessor RFC 3016): an AudioMuxElement in one or several packets.
///
/// GStreamer's `rtspclientsink` sends AAC in this format, with the configuration in the SDP (`cpresent=0`).
package struct LATMDepacketizer: Depacketizer {
    private var configuration: LATMStreamMuxConfiguration?
    /// Whether elements begin with useSameStreamMux and, if it is zero, a StreamMuxConfig.
    private let isInBand: Bool
    private let clockRate: UInt32
    private let limits: DepacketizerLimits
    private var element = FrameAssembly()

    /// - Parameters:
    ///   - configuration: configuration from the SDP; `nil` if it arrives in band only.
    ///   - isInBand: whether elements may contain a configuration (`cpresent=1`).
    ///   - clockRate: clock rate in the `rtpmap`.
    ///   - limits: limits on what the publisher may send.
    package init(
        configuration: LATMStreamMuxConfiguration?, isInBand: Bool, clockRate: UInt32,
        limits: DepacketizerLimits = .standard
    ) {
        self.configuration = configuration
        self.isInBand = isInBand
        self.clockRate = clockRate
        self.limits = limits
    }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard packet.payload.readableBytes > 0 else { return }
        if let begun = element.rtpTimestamp, begun != packet.rtpTimestamp {
            // The marker was lost or never set. An incomplete element is inconsistent and is dropped.
            try? finish(packet, into: &output)
        }
        if element.isEmpty { element.begin(rtpTimestamp: packet.rtpTimestamp) }
        try element.append(packet.payload, maximumByteCount: limits.maximumAudioElementByteCount, packet)
        if packet.marker { try finish(packet, into: &output) }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        // The next packet may or may not begin an element; parsing will show which.
        element.clear()
    }

    private mutating func finish(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        let finished = element
        element.clear()
        guard let rtpTimestamp = finished.rtpTimestamp, !finished.isDamaged else { return }
        do {
            let frames = isInBand ? try inBand(finished.frame, into: &output) : try aligned(finished.frame)
            for (index, frame) in frames.enumerated() where frame.readableBytes > 0 {
                let offset = Int64(index) * ticksPerFrame
                output.append(.unit(.audio(frame, rtpTimestamp: rtpTimestamp, tickOffset: offset)))
            }
        } catch let error as CodecError {
            throw DepacketizationError(error.code == .unsupported ? .unsupported : .malformed, packet, "\(error)")
        } catch {
            throw DepacketizationError(.malformed, packet, "the AudioMuxElement is inconsistent")
        }
    }

    private var ticksPerFrame: Int64 {
        guard let audio = configuration?.audio else { return 0 }
        return Int64(audio.samplesPerFrame) * Int64(clockRate) / Int64(max(1, audio.sampleRate))
    }

    private struct InconsistentElement: Error {}

    /// Extracts frames from an element without a configuration. Lengths and frames are whole bytes there (ISO/IEC
    /// 14496-3 §1.7.3.1), so the frames are slices.
    private func aligned(_ element: ByteBuffer) throws -> [ByteBuffer] {
        guard let configuration else { throw InconsistentElement() }
        var element = element
        var frames: [ByteBuffer] = []
        for _ in 0..<configuration.subframeCount {
            var byteCount = configuration.frameByteCount ?? 0
            if configuration.frameByteCount == nil {
                var byte: UInt8
                repeat {
                    guard let next = element.readInteger(as: UInt8.self) else { throw InconsistentElement() }
                    byte = next
                    byteCount += Int(byte)
                } while byte == 255
            }
            guard let frame = element.readSlice(length: byteCount) else { throw InconsistentElement() }
            frames.append(frame)
        }
        // Remaining bytes belong to a fragment whose beginning is missing.
        guard element.readableBytes <= (configuration.otherDataBitCount + 7) / 8 else { throw InconsistentElement() }
        return frames
    }

    /// Extracts frames from an element that may hold the configuration.
    private mutating func inBand(
        _ element: ByteBuffer, into output: inout [DepacketizerOutput]
    ) throws -> [ByteBuffer] {
        var reader = LATMElementReader(configuration: configuration)
        let frames = try reader.frames(in: element)
        if let received = reader.configuration, received.audio != configuration?.audio {
            output.append(.configuration(.aac(received.audio)))
        }
        configuration = reader.configuration
        return frames
    }
}
