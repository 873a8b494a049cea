import MediaCore

/// The times from the end of one part of a track to the end of the next, in the newest segments. The end of a segment
/// counts as a part's, because the other tracks' segments end with it.
///
/// All times are media times in nanoseconds: those of the units whose arrival finished the parts.
struct PartIntervals: Sendable {
    /// Fewer segments tell nothing.
    static let minimumSegmentCount = 3
    /// Segments whose parts are compared. Frames of audio do not divide seconds evenly, so that the last part of each
    /// fourth or eighth segment, say, is a frame shorter than that of the others.
    static let maximumSegmentCount = 8
    /// Limit of the parts of a segment that are remembered: half a minute of the usual ones.
    static let maximumPartCount = 64
    /// No part lasts longer: after such a step the publisher's clock was set, or the network was down.
    static let maximumInterval: Int64 = 10_000_000_000

    private var mediaSequence: Int?
    private var lastEnd: Int64?
    /// The intervals of the segment that is being built, by the part's index.
    private var intervals: [Int64] = []
    /// False if these are not all of the segment.
    private var isWhole = false
    /// The intervals of the segments before, newest last.
    private var former: [[Int64]] = []

    /// Notes a part's end.
    ///
    /// - Parameters:
    ///   - sequence: the media sequence number of its segment.
    ///   - end: the time of the unit that finished it.
    mutating func finish(_ sequence: Int, at end: Int64) {
        if sequence != mediaSequence { beginSegment(sequence) }
        // The end of a segment is that of its last part, too.
        guard let lastEnd, lastEnd != end else {
            lastEnd = end
            return
        }
        self.lastEnd = end
        let interval = end.subtractingSaturating(lastEnd)
        guard (1...Self.maximumInterval).contains(interval) else {
            former.removeAll()
            isWhole = false
            return
        }
        if intervals.count < Self.maximumPartCount { intervals.append(interval) } else { isWhole = false }
    }

    private mutating func beginSegment(_ sequence: Int) {
        if isWhole {
            former.append(intervals)
            if former.count > Self.maximumSegmentCount { former.removeFirst() }
        }
        isWhole = mediaSequence != nil
        mediaSequence = sequence
        intervals.removeAll()
    }

    /// The earliest time at which the next part can end, as far as the segments before tell: that of the same part in
    /// one of them, or, if one had no such part, that of the first part of a segment.
    ///
    /// - Parameter newest: the time of the newest unit, which has not ended a part.
    /// - Returns: a time after `newest`, the first one if the part should have ended by now; `nil` if unknown.
    func next(after newest: Int64) -> Int64? {
        guard let lastEnd, former.count >= Self.minimumSegmentCount else { return nil }
        var earliest: Int64?
        for segment in former {
            // If that segment had no such part, the next one is the first of another segment.
            guard let interval = intervals.count < segment.count ? segment[intervals.count] : segment.first else {
                continue
            }
            let end = lastEnd.addingSaturating(interval)
            if end > newest { earliest = min(earliest ?? end, end) }
        }
        return earliest ?? newest.addingSaturating(1)
    }
}
