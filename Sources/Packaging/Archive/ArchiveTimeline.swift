import MediaCore

/// Puts publishing epochs, each of which has a timeline of its own, one behind the other on a file's.
///
/// All tracks of an epoch are shifted by the same time, so that sound and picture stay together.
struct ArchiveTimeline: Sendable {
    private var epoch: String?
    /// By track: where its last segment ends in the file; `nil` before the first.
    private var ends: [MediaTime?]
    /// By track, in its timescale: added to the epoch's times.
    private var shifts: [Int64]

    init(trackCount: Int) {
        ends = Array(repeating: nil, count: trackCount)
        shifts = Array(repeating: 0, count: trackCount)
    }

    /// Of the longest track.
    var end: MediaTime { ends.compactMap(\.self).max() ?? .zero(.microseconds) }

    /// Where a track's segment stands on its epoch's timeline.
    struct Span: Sendable {
        var start: MediaTime
        var duration: MediaTime
    }

    /// - Parameter row: by track; `nil` where it has nothing.
    /// - Returns: by track, in its timescale: what is added to the epoch's times.
    mutating func place(_ row: [Span?], of epoch: String) -> [Int64] {
        if epoch != self.epoch {
            self.epoch = epoch
            begin(with: row)
        }
        for index in row.indices {
            guard let span = row[index] else { continue }
            let end = span.start.value.addingSaturating(shifts[index]).addingSaturating(span.duration.value)
            ends[index] = MediaTime(value: end, timescale: span.start.timescale)
        }
        return shifts
    }

    /// The epoch's first media begins where the longest track ends; in a new file at zero.
    private mutating func begin(with row: [Span?]) {
        let zero = MediaTime.zero(.microseconds)
        let start = row.compactMap { $0?.start }.min() ?? zero
        for index in row.indices {
            let timescale = row[index]?.start.timescale ?? ends[index]?.timescale ?? .microseconds
            let shift = (end.converted(to: timescale) - start).value
            // Rounding must not make a track overlap itself, or begin before the file does.
            let own = row[index].map { (ends[index]?.value ?? 0).subtractingSaturating($0.start.value) }
            shifts[index] = max(shift, own ?? shift)
        }
    }
}
