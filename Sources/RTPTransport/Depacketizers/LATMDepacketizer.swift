import Codecs
import MediaCore
import NIOCore

/// RFC 6416 §6 (and RFC 3016 before it): MP4A-LATM, an AudioMuxElement in one or several packets.
///
/// GStreamer's `rtspclientsink` sends AAC so, with the configuration in the SDP (`cpresent=0`).
package struct LATMDepacketizer: Depacketizer {
    private var configuration: LATMStreamMuxConfiguration?
    /// Elements begin with useSameStreamMux and, where it is zero, a StreamMuxConfig.
    private let isInBand: Bool
    private let clockRate: UInt32
    private let limits: DepacketizerLimits
    private var element = FrameAssembly()

    /// - Parameters:
    ///   - configuration: from the SDP; `nil` where it comes in band only.
    ///   - clockRate: of the `rtpmap`.
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
            // The marker was lost or never set. What is incomplete does not add up, and is dropped.
            try? finish(packet, into: &output)
        }
        if element.isEmpty { element.begin(rtpTimestamp: packet.rtpTimestamp) }
        try element.append(packet.payload, maximumByteCount: limits.maximumAudioElementByteCount, packet)
        if packet.marker { try finish(packet, into: &output) }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        // Of the next packet it is not known whether an element begins there; parsing shows it.
        element.clear()
    }

    private mutating func finish(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        let finished = element
        element.clear()
        guard let rtpTimestamp = finished.rtpTimestamp, !finished.isDamaged else { return }
        do {
            let frames = isInBand ? try unaligned(finished.frame, into: &output) : try aligned(finished.frame)
            for (index, frame) in frames.enumerated() where frame.readableBytes > 0 {
                let offset = Int64(index) * ticksPerFrame
                output.append(.unit(.audio(frame, rtpTimestamp: rtpTimestamp, tickOffset: offset)))
            }
        } catch let error as CodecError {
            throw DepacketizationError(error.code == .unsupported ? .unsupported : .malformed, packet, "\(error)")
        } catch {
            throw DepacketizationError(.malformed, packet, "an AudioMuxElement that does not add up")
        }
    }

    private var ticksPerFrame: Int64 {
        guard let audio = configuration?.audio else { return 0 }
        return Int64(audio.samplesPerFrame) * Int64(clockRate) / Int64(max(1, audio.sampleRate))
    }

    private struct DoesNotAddUp: Error {}

    /// Without a configuration in front, lengths and frames are whole bytes (§1.7.3.1): frames are slices.
    private func aligned(_ element: ByteBuffer) throws -> [ByteBuffer] {
        guard let configuration else { throw DoesNotAddUp() }
        var element = element
        var frames: [ByteBuffer] = []
        for _ in 0..<configuration.subframeCount {
            var byteCount = configuration.frameByteCount ?? 0
            if configuration.frameByteCount == nil {
                var byte: UInt8
                repeat {
                    guard let next = element.readInteger(as: UInt8.self) else { throw DoesNotAddUp() }
                    byte = next
                    byteCount += Int(byte)
                } while byte == 255
            }
            guard let frame = element.readSlice(length: byteCount) else { throw DoesNotAddUp() }
            frames.append(frame)
        }
        // More is a fragment that misses its beginning.
        guard element.readableBytes <= (configuration.otherDataBitCount + 7) / 8 else { throw DoesNotAddUp() }
        return frames
    }

    /// Behind useSameStreamMux nothing begins at a byte: frames are copied.
    private mutating func unaligned(
        _ element: ByteBuffer, into output: inout [DepacketizerOutput]
    ) throws -> [ByteBuffer] {
        var reader = BitReader(Array(element.readableBytesView))
        if try !reader.readBit() {
            let received = try LATMStreamMuxConfiguration(parsing: &reader)
            if received.audio != configuration?.audio { output.append(.configuration(.aac(received.audio))) }
            configuration = received
        }
        // Until a configuration has come there is nothing to be heard, and nothing wrong either.
        guard let configuration else { return [] }
        var frames: [ByteBuffer] = []
        for _ in 0..<configuration.subframeCount {
            var byteCount = configuration.frameByteCount ?? 0
            if configuration.frameByteCount == nil {
                var byte: UInt32
                repeat {
                    byte = try reader.readBits(8)
                    byteCount += Int(byte)
                } while byte == 255
            }
            guard byteCount * 8 <= reader.remainingBitCount else { throw DoesNotAddUp() }
            var frame = ByteBuffer()
            frame.reserveCapacity(byteCount)
            for _ in 0..<byteCount { frame.writeInteger(UInt8(try reader.readBits(8))) }
            frames.append(frame)
        }
        guard reader.remainingBitCount <= configuration.otherDataBitCount + 7 else { throw DoesNotAddUp() }
        return frames
    }
}
