import Codecs
import MediaCore
import NIOCore

/// Codecs whose sample is one run of bytes: each with its payload header, whole or in pieces.
struct FramePacketizer: Sendable {
    let format: RTPPayloadFormat
    let limits: PacketizationLimits

    func packetize(
        _ unit: AccessUnit, rtpTimestamp: UInt32, stream: inout RTPPacketStream, into batch: inout RTPPacketBatch
    ) {
        guard case .frame(let frame) = unit.payload, frame.readableBytes > 0 else { return }
        var output = Output(rtpTimestamp: rtpTimestamp, stream: stream, batch: batch)
        // Given back below: one owner, nothing is copied.
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
        // RFC 3551 §4.5.2: its clock is 8000 Hz by an old mistake: a byte, two samples, is a tick.
        case .g722: packetizeSamples(frame, bytesPerTick: 1, &output)
        case .linearPCM(_, let channels): packetizeSamples(frame, bytesPerTick: 2 * max(1, channels), &output)
        // RFC 4867 §4.4: no mode is asked for; a frame's header octet in storage is a table of contents of one entry.
        case .adaptiveMultiRate: packetizeWhole(frame, header: [0xF0], &output)
        case .mpegAudio: packetizeMPEGAudio(frame, &output)
        case .h263: packetizeH263(frame, &output)
        case .vp8: packetizeVP8(frame, &output)
        case .vp9: packetizeVP9(frame, isKeyFrame: isKeyFrame, &output)
        }
    }

    // MARK: Audio

    /// RFC 3640 §3.3.6, AAC-hbr: one frame a packet, for the shortest delay, or a piece of one. Every piece states
    /// the whole frame's size; the last one has the marker (§3.1).
    private func packetizeAAC(_ frame: ByteBuffer, _ output: inout Output) {
        let size = frame.readableBytes
        guard size < 1 << 13 else { return }
        cut(frame, headerByteCount: 4) { piece, position in
            output.append(marker: position.isEnd) { buffer in
                // One AU header of 16 bits: 13 of size, 3 of index, which is zero.
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

    /// RFC 3551 §4.5: any number of whole samples.
    private func packetizeSamples(_ frame: ByteBuffer, bytesPerTick: Int, _ output: inout Output) {
        let limit = limits.maximumPayloadByteCount
        // No sample is larger than a packet but by an absurd number of channels.
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

    /// RFC 2250 §3.5: the offset of the piece within its frame.
    private func packetizeMPEGAudio(_ frame: ByteBuffer, _ output: inout Output) {
        cut(frame, headerByteCount: 4) { piece, position in
            output.append(marker: false) { buffer in
                buffer.writeMultipleIntegers(UInt16(0), UInt16(clamping: position.offset))
                buffer.writeImmutableBuffer(piece)
            }
        }
    }

    // MARK: Video

    /// RFC 4629 §5.1: P is set where the picture starts, and stands for the two zero bytes of its start code.
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

    /// RFC 7741 §4.2: S where the frame, and with it its first partition, starts.
    private func packetizeVP8(_ frame: ByteBuffer, _ output: inout Output) {
        cut(frame, headerByteCount: 1) { piece, position in
            output.append(marker: position.isEnd) { buffer in
                buffer.writeInteger(UInt8(position.isStart ? 0x10 : 0))
                buffer.writeImmutableBuffer(piece)
            }
        }
    }

    /// RFC 9628 §4.2: P where the picture refers to others, B where it starts, E where it ends.
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

    // MARK: Pieces

    private struct Position {
        /// Bytes before the piece.
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
