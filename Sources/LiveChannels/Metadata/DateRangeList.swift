import HLSPlaylist

/// The date ranges that playlists carry, and their size. The size is limited, because rendering hundreds of ranges
/// whenever one is added would hold up the channel.
struct DateRangeList: Sendable {
    private(set) var ranges: [DateRange] = []
    private var byteCount = 0

    /// Adds a range.
    ///
    /// - Returns: false if all ranges together would be larger than `maximumByteCount`; nothing was added then.
    mutating func append(_ range: DateRange, maximumByteCount: Int) -> Bool {
        let sum = byteCount + range.renderedByteCount
        guard sum <= maximumByteCount else { return false }
        ranges.append(range)
        byteCount = sum
        return true
    }

    mutating func removeAll(where isOver: (DateRange) -> Bool) {
        ranges.removeAll { range in
            guard isOver(range) else { return false }
            byteCount -= range.renderedByteCount
            return true
        }
    }
}
