/// The position of a sequence of frames within a chunk's GOPs.
struct GroupCursor {
    private let starts: [Int64]
    private var next = 0

    init(_ chunk: LadderChunk) { starts = chunk.groupStarts }

    /// Advances to a frame.
    ///
    /// - Parameter time: The presentation time, later than those of earlier calls.
    /// - Returns: The index of the GOP that the frame starts; `nil` if it is in the same GOP as the frame before.
    mutating func group(beginningAt time: Int64) -> Int? {
        let before = next
        while next < starts.count, starts[next] <= time { next += 1 }
        return next > before ? next - 1 : nil
    }
}
