/// The protected ranges of a sample (`senc`, ISO/IEC 23001-7 §7.2): bytes in the clear and protected bytes in turn.
package struct SampleProtection: Sendable, Hashable {
    /// Bytes in the clear, and protected bytes after them.
    package struct Subsample: Sendable, Hashable {
        package var clearByteCount: UInt16
        package var protectedByteCount: UInt32

        package init(clearByteCount: UInt16, protectedByteCount: UInt32) {
            (self.clearByteCount, self.protectedByteCount) = (clearByteCount, protectedByteCount)
        }
    }

    package private(set) var subsamples: [Subsample] = []

    /// Limit of the subsamples of a sample: `saiz` has its size in one byte.
    package static let maximumSubsampleCount = (255 - countByteCount) / subsampleByteCount
    private static let countByteCount = 2
    private static let subsampleByteCount = 6

    /// Describes a sample.
    ///
    /// - Parameters:
    ///   - ranges: the protected ranges, in ascending order.
    ///   - byteCount: the size of the sample.
    /// - Returns: `nil` if there are too many ranges.
    package init?(protecting ranges: [Range<Int>], ofSampleOf byteCount: Int) {
        var position = 0
        for range in ranges {
            append(clear: range.lowerBound - position, protected: range.count)
            position = range.upperBound
        }
        if position < byteCount { append(clear: byteCount - position, protected: 0) }
        guard subsamples.count <= Self.maximumSubsampleCount else { return nil }
    }

    private mutating func append(clear: Int, protected: Int) {
        var clear = clear
        let limit = Int(UInt16.max)
        while clear > limit, subsamples.count <= Self.maximumSubsampleCount {
            subsamples.append(Subsample(clearByteCount: .max, protectedByteCount: 0))
            clear -= limit
        }
        subsamples.append(
            Subsample(clearByteCount: UInt16(clamping: clear), protectedByteCount: UInt32(clamping: protected)))
    }

    /// Size of its entry in `senc`, which `saiz` repeats.
    var byteCount: Int { Self.countByteCount + subsamples.count * Self.subsampleByteCount }
}
