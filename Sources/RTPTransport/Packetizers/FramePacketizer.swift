import Codecs
import MediaCore
import NIOCore

/// Packetizes codecs whose sample is one run of bytes: each with its payload header, as a whole or in fragments.
struct FramePacketizer: Sendable {
    let format: RTPPayloadFormat
    let limits: PacketizationLimits

    func packetize(
        _ unit: AccessUnit, rtpTimestamp: UInt32, stream: inout RTPPacketStream, into batch: inout RTPPacketBatch
    ) {
        guard case .frame(let frame) = unit.payload, frame.readableBytes > 0 else { return }
        var output = Output(rtpTimestamp: rtpTimestamp, stream: stream, batch: batch)
        // The batch is moved out and given back below, so that it has a single owner and is not copied.
        batch = RTPPacketBatch(channel: 0, capacity: 0, allocator: ByteBufferAllocator())
        switch format {
        case .h264, .hevc, .av1: break
        case .aac: packetizeAAC(frame, &output)
        case .opus: packetizeWhole(frame, header: [], &output)
        case .foreign(let codec): packetize(frame, codec, isKeyFrame: unit.isRandomAccessPoint, &output)
        }
        stream = output.stream
        batch = output.batch
    }

    private struct Output {
        let rtpTimestamp: UInt32
        var stream: RTPPacketStream
        var batch: RTPPacketBatch

        mutating func append(marker: Bool, tickOffset: UInt32 = 0, _ write: (inout ByteBuffer) -> Void) {
            stream.appendPacket(to: &batch, marker: marker, rtpTimestamp: rtpTimestamp &+ tickOffset, write)
        }
    }

    private func packetize(_ frame: ByteBuffer, _ codec: ForeignCodec, isKeyFrame: Bool, _ output: inout Output) {
        switch codec {
        case .pcmMuLaw(_, let channels), .pcmALaw(_, let channels):
            packetizeSamples(frame, bytesPerTick: max(1, channels), &output)
        // The clock rate is 8000 Hz because of a historical error (RFC 3551 §4.5.2): a byte, which holds two samples,
        // is one tick.
        case .g722: packetizeSamples(frame, bytesPerTick: 1, &output)
        case .linearPCM(_, let channels): packetizeSamples(frame, bytesPerTick: 2 * max(1, channels), &output)
        // No mode is requested (RFC 4867 §4.4). A frame's header octet in storage format is a table of contents with
        // one entry.
        case .adaptiveMultiRate: packetizeWhole(frame, header: [0xF0], &output)
        case .mpegAudio: packetizeMPEGAudio(frame, &output)
        case .h263: packetizeH263(frame, &output)
        case .vp8: packetizeVP8(frame, &output)
        case .vp9: packetizeVP9(frame, isKeyFrame: isKeyFrame, &output)
        case .opus: packetizeWhole(frame, header: [], &output)
        }
    }

    // MARK: Audio

    /// Sends an AAC frame in AAC-hbr mode (RFC 3640 §3.3.6): one frame per packet for the shortest delay, or a
    /// fragment of one. Each fragment states the size of the whole frame; the last one has the marker (§3.1).
    private func packetizeAAC(_ frame: ByteBuffer, _ output: inout Output) {
        let size = frame.readableBytes
        guard size < 1 << 13 else { return }
        cut(frame, headerByteCount: 4) { piece, position in
            output.append(marker: position.isEnd) { buffer in
                // One AU header of 16 bits: 13 for the size, 3 for the index, which is zero.
                buffer.writeMultipleIntegers(UInt16(16), UInt16(truncatingIfNeeded: size << 3))
                buffer.writeImmutableBuffer(piece)
            }
        }
    }

    private func packetizeWhole(_ frame: ByteBuffer, header: [UInt8], _ output: inout Output) {
        guard frame.readableBytes <= PacketizationLimits.maximumUncutByteCount else { return }
        output.append(marker: false) { buffer in
            buffer.writeBytes(header)
            buffer.writeImmutableBuffer(frame)
        }
    }

    /// Sends any number of whole samples (RFC 3551 §4.5).
    private func packetizeSamples(_ frame: ByteBuffer, bytesPerTick: Int, _ output: inout Output) {
        let limit = limits.maximumPayloadByteCount
        // Samples larger than a packet would need an absurd number of channels.
        guard bytesPerTick <= limit else { return }
        var rest = frame
        var ticks: UInt32 = 0
        while rest.readableBytes > 0 {
            let count = min(rest.readableBytes, limit - limit % bytesPerTick)
            guard let piece = rest.readSlice(length: count) else { return }
            output.append(marker: false, tickOffset: ticks) { $0.writeImmutableBuffer(piece) }
            ticks &+= UInt32(truncatingIfNeeded: count / bytesPerTick)
        }
    }

    /// Sends fragments with their offset within the frame (RFC 2250 §3.5).
    private func packetizeMPEGAudio(_ frame: ByteBuffer, _ output: inout Output) {
        cut(frame, headerByteCount: 4) { piece, position in
            output.append(marker: false) { buffer in
                buffer.writeMultipleIntegers(UInt16(0), UInt16(clamping: position.offset))
                buffer.writeImmutableBuffer(piece)
            }
        }
    }

    // MARK: Video

    /// Sends an H.263 picture (RFC 4629 §5.1). P marks the start of the picture and replaces the two zero bytes of
    /// its start code.
    private func packetizeH263(_ frame: ByteBuffer, _ output: inout Output) {
        var rest = frame
        guard let start = rest.readInteger(as: UInt16.self), start == 0 else { return }
        cut(rest, headerByteCount: 2) { piece, position in
            output.append(marker: position.isEnd) { buffer in
                buffer.writeInteger(UInt16(position.isStart ? 0x0400 : 0))
                buffer.writeImmutableBuffer(piece)
            }
        }
    }

    /// Sends a VP8 frame (RFC 7741 §4.2). S marks the start of the frame, and thereby of its first partition.
    private func packetizeVP8(_ frame: ByteBuffer, _ output: inout Output) {
        cut(frame, headerByteCount: 1) { piece, position in
            output.append(marker: position.isEnd) { buffer in
                buffer.writeInteger(UInt8(position.isStart ? 0x10 : 0))
                buffer.writeImmutableBuffer(piece)
            }
        }
    }

    /// Sends a VP9 picture (RFC 9628 §4.2). P marks a picture that refers to others, B its start, E its end.
    private func packetizeVP9(_ frame: ByteBuffer, isKeyFrame: Bool, _ output: inout Output) {
        cut(frame, headerByteCount: 1) { piece, position in
            output.append(marker: position.isEnd) { buffer in
                let flags: UInt8 =
                    (isKeyFrame ? 0 : 0x40) | (position.isStart ? 0x08 : 0) | (position.isEnd ? 0x04 : 0)
                buffer.writeInteger(flags)
                buffer.writeImmutableBuffer(piece)
            }
        }
    }

    // MARK: Fragments

    private struct Position {
        /// Number of bytes before the fragment.
        var offset: Int
        var isEnd: Bool

        var isStart: Bool { offset == 0 }
    }

    private func cut(_ frame: ByteBuffer, headerByteCount: Int, _ body: (ByteBuffer, Position) -> Void) {
        let limit = limits.maximumPayloadByteCount - headerByteCount
        var rest = frame
        while rest.readableBytes > 0 {
            let offset = frame.readableBytes - rest.readableBytes
            guard let piece = rest.readSlice(length: min(limit, rest.readableBytes)) else { return }
            body(piece, Position(offset: offset, isEnd: rest.readableBytes == 0))
        }
    }
}
