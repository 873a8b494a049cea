import HLSPlaylist

/// Ranges that playlists carry, and how many bytes of each playlist they are: rendering hundreds of them anew for each
/// that comes would hold up the channel.
struct DateRangeList: Sendable {
    private(set) var ranges: [DateRange] = []
    private var byteCount = 0

    /// - Returns: false where all together would be larger than that, and nothing was added.
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
