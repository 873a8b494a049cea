import MediaCore
import Packaging

/// The part of a rendition's playlist that lies on disk, before what memory holds, and the segments that have just left
/// it.
///
/// The index takes about 500 bytes per segment: two hours of 2 s segments are 2 MB.
package struct ArchivedWindow: Sendable {
    /// Oldest first.
    package private(set) var segments: [ArchivedSegment] = []
    /// Total duration of the listed segments, in seconds.
    package private(set) var seconds = 0.0
    /// Duration in seconds of the longest playlist so far, including what memory listed.
    private var longestSeconds = 0.0
    /// Number of listed segments that do not start with a key frame.
    private var dependentCount = 0
    /// Number of segments, counted from the newest, that may not be written yet.
    private var unresolvedCount = 0
    /// Segments that are off the playlist but still fetchable (rfc8216bis §6.2.2), oldest first.
    private var retained: [ArchivedSegment] = []
    /// The expiry of each retained segment, in seconds on the window's media clock.
    private var expiries: [Double] = []

    /// Limit on the listed segments: a day of 2 s segments. The same limit holds for retained segments. Without it, a
    /// publisher whose segments are extremely short would fill the memory.
    static let maximumSegmentCount = 43_200

    /// True if only gaps are listed and nothing is retained.
    var hasNoMedia: Bool { retained.isEmpty && segments.allSatisfy(\.isGap) }
    package var isIndependent: Bool { dependentCount == 0 }

    /// The oldest segment that can be fetched; `nil` if there is none.
    var oldest: ArchivedSegment? { retained.first ?? segments.first { !$0.isGap } }

    init() {}

    /// Continues the window of the previous server.
    ///
    /// - Parameter windowSeconds: the maximum duration of a playlist, in seconds; taken as the duration of the last
    ///   playlists, which is not known.
    init(_ restored: RestoredArchive.Rendition, windowSeconds: Int) {
        for segment in restored.segments { append(segment) }
        longestSeconds = Double(windowSeconds)
        retained = restored.retained
        expiries = retained.map { $0.duration + longestSeconds }
    }

    /// - Parameter segment: a segment that has just left what memory lists.
    mutating func append(_ segment: ArchivedSegment) {
        segments.append(segment)
        seconds += segment.duration
        count(segment, step: 1)
        unresolvedCount += 1
    }

    /// Turns segments that could not be written into gaps, and notes how long the playlist is now.
    ///
    /// - Parameter listedSeconds: the duration of the segments in memory, in seconds.
    mutating func prepareToShrink(listedSeconds: Double, rendition: String) {
        resolve(rendition: rendition)
        if !segments.isEmpty || !retained.isEmpty { longestSeconds = max(longestSeconds, seconds + listedSeconds) }
    }

    /// The media sequence number of the first segment that has to stay listed; `nil` if none has to.
    ///
    /// - Parameters:
    ///   - maximumSeconds: the maximum duration of the whole playlist, in seconds, including what memory lists.
    ///   - listedSeconds: the duration of the segments in memory, in seconds.
    func firstNeeded(toSeconds maximumSeconds: Double, listedSeconds: Double) -> Int? {
        var rest = seconds + listedSeconds
        for (index, segment) in segments.enumerated() {
            rest -= segment.duration
            guard rest >= maximumSeconds || segments.count - index > Self.maximumSegmentCount else {
                return segment.header.mediaSequence
            }
        }
        return nil
    }

    /// Drops segments from the playlist.
    ///
    /// - Parameters:
    ///   - first: the media sequence number of the first segment that stays.
    ///   - mediaClock: seconds of media that the channel has published so far.
    ///   - handedOutAt: the time on that clock at which a playlist was last handed out.
    /// - Returns: how many discontinuities have left the playlist.
    mutating func shrink(to first: Int, mediaClock: Double, handedOutAt: Double) -> Int {
        if segments.isEmpty, retained.isEmpty { return 0 }
        var discontinuityCount = 0
        var leaving = 0
        for segment in segments {
            guard segment.header.mediaSequence < first else { break }
            leaving += 1
            seconds -= segment.duration
            count(segment, step: -1)
            if segment.header.isDiscontinuous { discontinuityCount += 1 }
            guard segment.since <= handedOutAt, !segment.isGap else { continue }
            retained.append(segment)
            // Once more its duration, because the media clock runs ahead when a push takes over.
            expiries.append(mediaClock + 2 * segment.duration + longestSeconds)
        }
        segments.removeFirst(leaving)
        let expired = max(expiries.prefix { $0 <= mediaClock }.count, retained.count - Self.maximumSegmentCount)
        retained.removeFirst(expired)
        expiries.removeFirst(expired)
        return discontinuityCount
    }

    /// Turns segments that could not be written into gaps. Segments are written in order, shortly after they are
    /// finished, so only the newest can be unresolved.
    private mutating func resolve(rendition: String) {
        var index = max(0, segments.count - unresolvedCount)
        unresolvedCount = 0
        while index < segments.count {
            if segments[index].isMissing {
                count(segments[index], step: -1)
                segments[index] = ArchivedSegment(hole: segments[index], rendition: rendition)
                count(segments[index], step: 1)
            }
            if segments[index].isUnresolved, unresolvedCount == 0 { unresolvedCount = segments.count - index }
            index += 1
        }
    }

    private mutating func count(_ segment: ArchivedSegment, step: Int) {
        if !segment.isIndependent { dependentCount += step }
    }

    /// Finds a listed or retained segment that is not a gap; `nil` if there is none.
    package func segment(mediaSequence: Int, epoch: Substring) -> ArchivedSegment? {
        for list in [segments, retained] {
            let index = list.firstIndex(fromMediaSequence: mediaSequence)
            guard index < list.count else { continue }
            let found = list[index]
            if found.header.mediaSequence == mediaSequence, found.header.epoch == epoch, !found.isGap { return found }
        }
        return nil
    }
}

extension [ArchivedSegment] {
    /// The index of the first segment with that media sequence number or a higher one.
    func firstIndex(fromMediaSequence mediaSequence: Int) -> Int {
        firstIndex { $0.header.mediaSequence >= mediaSequence }
    }

    /// The index of the segment that is shown at that time, or of the first one after it. If one segment's date and
    /// duration reach some milliseconds into the next one, that time belongs to the next one.
    func firstIndex(showing date: WallClockTime) -> Int {
        let next = firstIndex { $0.header.programDateTime > date }
        guard next > 0 else { return 0 }
        let last = self[next - 1]
        let end = Double(last.header.programDateTime.millisecondsSince1970) + last.duration * 1_000
        return end > Double(date.millisecondsSince1970) ? next - 1 : next
    }

    /// Finds the first segment that satisfies the predicate by bisection. All segments after it must satisfy the
    /// predicate as well.
    private func firstIndex(_ isLate: (ArchivedSegment) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isLate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
