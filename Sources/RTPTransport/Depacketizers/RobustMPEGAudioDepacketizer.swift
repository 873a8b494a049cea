import Codecs
import MediaCore
import NIOCore

/// Depacketizes MP3 as ADUs (RFC 5219, "mpa-robust"), which hold all data of a frame after its header. live555 sends
/// this format.
///
/// Each ADU becomes a frame that does not depend on others: it has the smallest sufficient bit rate and does not use
/// the bit reservoir.
package struct RobustMPEGAudioDepacketizer: Depacketizer {
    private let clockRate: UInt32
    private let limits: DepacketizerLimits
    /// An ADU whose first packets have arrived.
    private var partial = FrameAssembly()
    /// Size of the ADU in bytes, as announced.
    private var partialByteCount = 0

    package init(clockRate: UInt32, limits: DepacketizerLimits = .standard) {
        self.clockRate = clockRate
        self.limits = limits
    }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var payload = packet.payload
        var sampleCount: Int64 = 0
        var frameCount = 0
        while payload.readableBytes > 0 {
            let descriptor = try readDescriptor(&payload, packet)
            if descriptor.isContinuation {
                return try receiveFragment(payload, descriptor.byteCount, packet, into: &output)
            }
            partial.clear()
            frameCount += 1
            guard frameCount <= limits.maximumAudioFrameCount else {
                throw DepacketizationError(.limitExceeded, packet, "the packet has more than \(frameCount - 1) frames")
            }
            guard let unit = payload.readSlice(length: descriptor.byteCount) else {
                // An ADU that exceeds the packet must be the only one in it.
                guard frameCount == 1 else { throw DepacketizationError(.truncated, packet, "the ADU is cut off") }
                partial.begin(rtpTimestamp: packet.rtpTimestamp)
                partialByteCount = descriptor.byteCount
                return try partial.append(payload, maximumByteCount: limits.maximumAudioFrameByteCount, packet)
            }
            let (frame, header) = try makeFrame(unit, packet)
            let offset = sampleCount * Int64(clockRate) / Int64(header.sampleRate)
            output.append(.unit(.audio(frame, rtpTimestamp: packet.rtpTimestamp, tickOffset: offset)))
            sampleCount += Int64(header.samplesPerFrame)
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) { partial.clear() }

    /// Reads an ADU descriptor (RFC 5219 §4.3): C, T, then the ADU's size in 6 or 14 bits.
    private func readDescriptor(
        _ payload: inout ByteBuffer, _ packet: RTPPacket
    ) throws(DepacketizationError) -> (isContinuation: Bool, byteCount: Int) {
        guard let first = payload.readInteger(as: UInt8.self) else {
            throw DepacketizationError(.truncated, packet, "the ADU descriptor is cut off")
        }
        guard first & 0x40 != 0 else { return (first & 0x80 != 0, Int(first & 0x3F)) }
        guard let second = payload.readInteger(as: UInt8.self) else {
            throw DepacketizationError(.truncated, packet, "the ADU descriptor is cut off")
        }
        return (first & 0x80 != 0, Int(first & 0x3F) << 8 | Int(second))
    }

    /// Appends a fragment; each packet with one states the size of the whole ADU (RFC 5219 §4.2).
    private mutating func receiveFragment(
        _ payload: ByteBuffer, _ byteCount: Int, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        // The loss of the previous fragments has already been reported.
        guard let rtpTimestamp = partial.rtpTimestamp else { return }
        guard byteCount == partialByteCount, partial.byteCount + payload.readableBytes <= byteCount else {
            partial.clear()
            throw DepacketizationError(.malformed, packet, "the fragment does not continue its ADU")
        }
        try partial.append(payload, maximumByteCount: limits.maximumAudioFrameByteCount, packet)
        guard partial.byteCount == byteCount else { return }
        let unit = partial.frame
        partial.clear()
        output.append(.unit(.audio(try makeFrame(unit, packet).frame, rtpTimestamp: rtpTimestamp)))
    }

    /// Turns an ADU into a frame: removes the checksum, sets main_data_begin to zero, and pads the frame.
    private func makeFrame(
        _ unit: ByteBuffer, _ packet: RTPPacket
    ) throws(DepacketizationError) -> (frame: ByteBuffer, header: MPEGAudioFrameHeader) {
        var unit = unit
        guard let word = unit.readInteger(as: UInt32.self) else {
            throw DepacketizationError(.truncated, packet, "the ADU is cut off")
        }
        // With interleaving, the sync word is replaced by numbers (RFC 5219 §7).
        guard word >> 21 == 0x7FF else {
            throw DepacketizationError(.unsupported, packet, "interleaved ADUs are not supported")
        }
        do {
            let header = try MPEGAudioFrameHeader(parsing: word)
            guard header.layer == 3 else { throw CodecError(.invalid, in: "ADU", "is not layer III") }
            if header.hasChecksum { unit.moveReaderIndex(forwardBy: min(2, unit.readableBytes)) }
            let byteCount = MPEGAudioFrameHeader.byteCount + unit.readableBytes
            guard let fitting = try header.word(of: word, fitting: byteCount) else {
                throw CodecError(.unsupported, in: "ADU", "has \(byteCount) bytes, more than any frame")
            }
            var frame = ByteBuffer()
            frame.reserveCapacity(fitting.header.frameByteCount)
            frame.writeInteger(fitting.word)
            frame.writeImmutableBuffer(unit)
            frame.writeRepeatingByte(0, count: fitting.header.frameByteCount - byteCount)
            frame.clearMainDataBegin(bitCount: header.version == .mpeg1 ? 9 : 8)
            return (frame, header)
        } catch let error as CodecError {
            throw DepacketizationError(error.code == .unsupported ? .unsupported : .malformed, packet, "\(error)")
        } catch {
            throw DepacketizationError(.malformed, packet, "the ADU is damaged")
        }
    }
}

extension MPEGAudioFrameHeader {
    /// The header with the smallest bit rate whose frames have room for `byteCount` bytes, without padding and
    /// checksum; `nil` if there is none.
    fileprivate func word(
        of word: UInt32, fitting byteCount: Int
    ) throws(CodecError) -> (word: UInt32, header: MPEGAudioFrameHeader)? {
        for index in UInt32(1)...14 {
            let candidate = word & ~0x0000_F200 | index << 12 | 0x0001_0000
            let header = try MPEGAudioFrameHeader(parsing: candidate)
            if header.frameByteCount >= byteCount { return (candidate, header) }
        }
        return nil
    }
}

extension ByteBuffer {
    /// Clears main_data_begin, the first field of the side information (ISO/IEC 11172-3 §2.4.1.7, 13818-3 §2.4.1.7).
    fileprivate mutating func clearMainDataBegin(bitCount: Int) {
        let index = readerIndex + MPEGAudioFrameHeader.byteCount
        guard let fields = getInteger(at: index, as: UInt16.self) else { return }
        setInteger(fields & UInt16(truncatingIfNeeded: 0xFFFF >> bitCount), at: index)
    }
}
