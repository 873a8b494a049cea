import MediaCore
import NIOCore

/// The boxes of a fragment that describe the protection of its samples: `senc`, and `saiz` and `saio` that lead to it
/// (ISO/IEC 14496-12 §8.7.8, §8.7.9). Audio has none of them, because whole samples are protected by one vector.
struct SampleProtectionBoxes {
    private let samples: [SampleProtection]

    init(_ samples: [SampleProtection]) { self.samples = samples }

    /// Size of the header of a full box, and of a count after it.
    private static let headByteCount = 16
    private static let offsetsByteCount = 20
    /// `senc` with subsamples (ISO/IEC 23001-7 §7.2.1).
    private static let subsampleFlag: UInt32 = 2

    private var sizesByteCount: Int { 17 + samples.count }

    /// Size of all boxes in bytes.
    var byteCount: Int {
        sizesByteCount + Self.offsetsByteCount + Self.headByteCount + samples.reduce(0) { $0 + $1.byteCount }
    }

    /// Writes the boxes.
    ///
    /// - Parameters:
    ///   - position: the distance of the first one from the start of `moof`.
    ///   - buffer: the buffer to append to.
    func write(at position: Int, into buffer: inout ByteBuffer) {
        buffer.writeFullBox("saiz") { buffer in
            buffer.writeMultipleIntegers(UInt8(0), UInt32(clamping: samples.count))
            for sample in samples { buffer.writeInteger(UInt8(truncatingIfNeeded: sample.byteCount)) }
        }
        buffer.writeFullBox("saio") { buffer in
            let start = position + sizesByteCount + Self.offsetsByteCount + Self.headByteCount
            buffer.writeMultipleIntegers(UInt32(1), UInt32(clamping: start))
        }
        buffer.writeFullBox("senc", flags: Self.subsampleFlag) { buffer in
            buffer.writeInteger(UInt32(clamping: samples.count))
            for sample in samples {
                buffer.writeInteger(UInt16(clamping: sample.subsamples.count))
                for subsample in sample.subsamples {
                    buffer.writeMultipleIntegers(subsample.clearByteCount, subsample.protectedByteCount)
                }
            }
        }
    }
}
