import CLibAV
import LibAV

/// Rewrites the lengths in front of NAL units of H.264 and HEVC to four bytes, which everything that packages needs:
/// ISO/IEC 14496-15 §5.3.3.1 and §8.3.3.1 allow one and two as well. The NAL units stay as they are.
struct NALUnitLengths {
    /// The new size of a length.
    private static let byteCount = 4

    /// The size of a length in the source: 1 to 3 bytes.
    private let sourceByteCount: Int
    /// The position of lengthSizeMinusOne in the decoder configuration record.
    private let fieldOffset: Int
    private let file: String

    /// Reads the decoder configuration record of a stream; `nil` if there is nothing to rewrite.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the stream.
    ///   - file: the file to name in errors.
    init?(_ parameters: AVCodecParameters, file: String) {
        switch parameters.codec_id {
        case AV_CODEC_ID_H264: fieldOffset = 4
        case AV_CODEC_ID_HEVC: fieldOffset = 21
        default: return nil
        }
        // A byte stream begins with zeros instead, and has start codes.
        guard let record = parameters.extradata, Int(parameters.extradata_size) > fieldOffset, record[0] == 1 else {
            return nil
        }
        sourceByteCount = Int(record[fieldOffset] & 3) + 1
        guard sourceByteCount < Self.byteCount else { return nil }
        self.file = file
    }

    /// Changes a copy of the decoder configuration record.
    func rewrite(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        guard let record = parameters.pointee.extradata, Int(parameters.pointee.extradata_size) > fieldOffset else {
            return
        }
        record[fieldOffset] |= UInt8(Self.byteCount - 1)
    }

    /// Returns a packet with the same NAL units and times. Throws `LibAVError` with code `streamRefused` if the lengths
    /// contradict the packet's size: a decoder may make something of it.
    func rewritten(_ packet: Packet) throws(LibAVError) -> Packet {
        let bytes = packet.bytes
        var units: [Range<Int>] = []
        var offset = 0
        while offset < bytes.count {
            guard offset + sourceByteCount <= bytes.count else { throw contradiction }
            let length = bytes[offset..<offset + sourceByteCount].reduce(0) { $0 << 8 | Int($1) }
            offset += sourceByteCount
            guard length <= bytes.count - offset else { throw contradiction }
            units.append(offset..<offset + length)
            offset += length
        }
        let byteCount = bytes.count + units.count * (Self.byteCount - sourceByteCount)
        let other = try Packet()
        guard let size = Int32(exactly: byteCount), libav.av_new_packet(other.pointer, size) >= 0,
            let target = other.pointer.pointee.data
        else { throw LibAVError(.outOfMemory, file: file, "ran out of memory for a packet") }
        var position = 0
        for unit in units {
            for shift in stride(from: 24, through: 0, by: -8) {
                target[position] = UInt8(truncatingIfNeeded: unit.count >> shift)
                position += 1
            }
            UnsafeMutableRawBufferPointer(start: target + position, count: unit.count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[unit]))
            position += unit.count
        }
        other.presentationTime = packet.presentationTime
        other.decodeTime = packet.decodeTime
        other.duration = packet.duration
        other.pointer.pointee.flags = packet.pointer.pointee.flags
        other.pointer.pointee.stream_index = packet.pointer.pointee.stream_index
        return other
    }

    private var contradiction: LibAVError {
        LibAVError(.streamRefused, file: file, "has NAL units that are longer than their frame")
    }
}
