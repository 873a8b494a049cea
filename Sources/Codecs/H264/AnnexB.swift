package import MediaCore
import NIOCore

/// The byte stream format (ITU-T H.264 annex B).
package enum AnnexB {
    /// Returns the byte range of each NAL unit: after its start code, without trailing zero bytes. No range is empty.
    package static func nalUnits(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var units: [Range<Int>] = []
        var start: Int?
        var index = 0
        func close(at end: Int) {
            guard let start else { return }
            var end = end
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            if end > start { units.append(start..<end) }
        }
        while index + 2 < bytes.count {
            if bytes[index + 2] > 1 {
                index += 3
            } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                close(at: index)
                start = index + 3
                index += 3
            } else {
                index += 1
            }
        }
        close(at: bytes.count)
        return units
    }

    /// Returns a frame's slices, without its parameter sets, which are in the configuration, and without the encoder's
    /// informational NAL units.
    package static func slices(of bytes: UnsafeRawBufferPointer) -> [FragmentedNALUnit] {
        let buffer = ByteBuffer(bytes: bytes)
        return nalUnits(in: bytes).compactMap { range in
            guard let type = H264NALUnitType(headerByte: bytes[range.lowerBound]), type.isSlice else { return nil }
            return buffer.getSlice(at: buffer.readerIndex + range.lowerBound, length: range.count)
                .map(FragmentedNALUnit.init)
        }
    }
}
