/// Finds readers that go through an object from front to back, and says what to read ahead of them.
struct SequentialAccess: Sendable, Hashable {
    /// A reader, by the blocks that it asked for.
    private struct Stream: Hashable {
        var last: Int
        /// The number of blocks that are read ahead.
        var window: Int
        /// The first block that has not been requested.
        var end: Int
    }

    /// The least recently used one is first.
    private var streams: [Stream] = []

    /// More viewers of the same title at different places get less read-ahead.
    private static let maximumStreamCount = 16

    /// Notes an access.
    ///
    /// - Parameters:
    ///   - blocks: The blocks that are read now.
    ///   - blockCount: The number of blocks of the object.
    ///   - maximumWindow: The greatest number of blocks to read ahead.
    /// - Returns: The blocks to read ahead; may be empty.
    mutating func access(_ blocks: ClosedRange<Int>, blockCount: Int, maximumWindow: Int) -> Range<Int> {
        let known = streams.lastIndex {
            blocks.lowerBound <= $0.end && blocks.lowerBound >= $0.last - maximumWindow
        }
        guard let known else {
            if streams.count == Self.maximumStreamCount { streams.removeFirst() }
            streams.append(Stream(last: blocks.upperBound, window: 0, end: blocks.upperBound + 1))
            return 0..<0
        }
        var stream = streams.remove(at: known)
        defer { streams.append(stream) }
        guard blocks.upperBound > stream.last else { return 0..<0 }
        stream.last = blocks.upperBound
        stream.window = min(maximumWindow, max(stream.window * 2, blocks.count))
        let start = max(stream.end, stream.last + 1)
        // Few large requests instead of one for each block.
        guard start - (stream.last + 1) <= stream.window / 2 else { return 0..<0 }
        let end = min(blockCount, stream.last + 1 + stream.window)
        guard start < end else { return 0..<0 }
        stream.end = end
        return start..<end
    }
}
