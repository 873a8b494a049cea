import MediaCore

/// Concatenates publishing epochs, each of which has a timeline of its own, on a file's timeline.
///
/// All tracks of an epoch are shifted by the same time, so that audio and video stay in sync.
struct ArchiveTimeline: Sendable {
    private var epoch: String?
    /// The end of each track's last segment in the file; `nil` before the first.
    private var ends: [MediaTime?]
    /// The shift added to the epoch's times, for each track in its timescale.
    private var shifts: [Int64]

    init(trackCount: Int) {
        ends = Array(repeating: nil, count: trackCount)
        shifts = Array(repeating: 0, count: trackCount)
    }

    /// The end of the longest track.
    var end: MediaTime { ends.compactMap(\.self).max() ?? .zero(.microseconds) }

    /// The position of a track's segment on its epoch's timeline.
    struct Span: Sendable {
        var start: MediaTime
        var duration: MediaTime
    }

    /// Places the segments of a row.
    ///
    /// - Parameter row: One span per track; `nil` if the track has no segment.
    /// - Returns: The shift to add to the epoch's times, for each track in its timescale.
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

    /// Starts an epoch: its first media starts at the end of the longest track; in a new file at zero.
    private mutating func begin(with row: [Span?]) {
        let zero = MediaTime.zero(.microseconds)
        let start = row.compactMap { $0?.start }.min() ?? zero
        for index in row.indices {
            let timescale = row[index]?.start.timescale ?? ends[index]?.timescale ?? .microseconds
            let shift = (end.converted(to: timescale) - start).value
            // Rounding must not make a track overlap itself, or start before the file does.
            let own = row[index].map { (ends[index]?.value ?? 0).subtractingSaturating($0.start.value) }
            shifts[index] = max(shift, own ?? shift)
        }
    }
}
