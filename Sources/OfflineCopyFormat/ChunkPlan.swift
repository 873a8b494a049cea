/// How a copy is cut into chunks of one length, the last of which may be shorter.
package struct ChunkPlan: Sendable, Hashable {
    package let byteCount: Int64
    package let chunkByteCount: Int

    /// The length of a chunk: what is fetched again if a byte is wrong, and one piece of a Metalink.
    package static let standardChunkByteCount = 1 << 20
    /// Limit of the number of chunks: a copy of the largest size with chunks of the standard length.
    package static let maximumCount = 65_536

    /// - Returns: `nil` if the numbers cannot be those of a copy.
    package init?(byteCount: Int64, chunkByteCount: Int = standardChunkByteCount) {
        guard byteCount > 0, byteCount <= CopyCipher.maximumByteCount, chunkByteCount >= 1_024,
            chunkByteCount <= 64 << 20, (byteCount - 1) / Int64(chunkByteCount) < Int64(Self.maximumCount)
        else { return nil }
        (self.byteCount, self.chunkByteCount) = (byteCount, chunkByteCount)
    }

    package var count: Int { Int((byteCount - 1) / Int64(chunkByteCount)) + 1 }

    /// The range of a chunk in the copy.
    ///
    /// - Parameter index: less than ``count``.
    package func range(of index: Int) -> Range<Int64> {
        let start = Int64(index) * Int64(chunkByteCount)
        return start..<min(byteCount, start + Int64(chunkByteCount))
    }

    /// The chunks that a range of the copy touches.
    package func chunks(in range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return Int(range.lowerBound / Int64(chunkByteCount))..<Int((range.upperBound - 1) / Int64(chunkByteCount)) + 1
    }
}
