import Packaging

/// The part of a rendition's playlist that lies on disk, in front of what memory holds; and what has just left it.
///
/// An index of some 500 bytes a segment: two hours of 2 s segments are 2 MB.
package struct ArchivedWindow: Sendable {
    /// Oldest first.
    package private(set) var segments: [ArchivedSegment] = []
    /// Of the listed ones.
    package private(set) var seconds = 0.0
    /// Of the longest playlist so far, with what memory listed.
    private var longestSeconds = 0.0
    /// Of the listed ones, those that do not start with a key frame.
    private var dependentCount = 0
    /// How many of the newest may not be written yet.
    private var unresolvedCount = 0
    /// Off the playlist, but still fetchable (rfc8216bis §6.2.2), oldest first.
    private var retained: [ArchivedSegment] = []
    /// One for each of them, on the window's media clock.
    private var expiries: [Double] = []

    /// A day of 2 s segments, and as many again that are retained; a publisher whose segments last next to nothing
    /// would otherwise fill the memory.
    static let maximumSegmentCount = 43_200

    /// Nothing but gaps is listed, and nothing is retained.
    var hasNoMedia: Bool { retained.isEmpty && segments.allSatisfy(\.isGap) }
    package var isIndependent: Bool { dependentCount == 0 }

    /// The oldest of all that can be fetched.
    var oldest: ArchivedSegment? { retained.first ?? segments.first { !$0.isGap } }

    init() {}

    /// - Parameter windowSeconds: that a playlist lasts at most: how long the last ones were is not known.
    init(_ restored: RestoredArchive.Rendition, windowSeconds: Int) {
        for segment in restored.segments { append(segment) }
        longestSeconds = Double(windowSeconds)
        retained = restored.retained
        expiries = retained.map { $0.duration + longestSeconds }
    }

    /// - Parameter segment: has just left what memory lists.
    mutating func append(_ segment: ArchivedSegment) {
        segments.append(segment)
        seconds += segment.duration
        count(segment, step: 1)
        unresolvedCount += 1
    }

    /// Drops what is too old; takes note of what the disk did not take.
    ///
    /// - Parameters:
    ///   - maximumSeconds: that stay listed, with what memory lists.
    ///   - listedSeconds: of that.
    ///   - mediaClock: seconds that the channel has been sent so far.
    ///   - handedOutAt: when a playlist was last handed out, on that clock.
    /// - Returns: how many discontinuities have left the playlist.
    mutating func shrink(
        toSeconds maximumSeconds: Double, listedSeconds: Double, rendition: String, mediaClock: Double,
        handedOutAt: Double
    ) -> Int {
        resolve(rendition: rendition)
        if segments.isEmpty, retained.isEmpty { return 0 }
        longestSeconds = max(longestSeconds, seconds + listedSeconds)
        var discontinuityCount = 0
        var leaving = 0
        for segment in segments {
            guard
                seconds + listedSeconds - segment.duration >= maximumSeconds
                    || segments.count - leaving > Self.maximumSegmentCount
            else { break }
            leaving += 1
            seconds -= segment.duration
            count(segment, step: -1)
            if segment.heading.isDiscontinuous { discontinuityCount += 1 }
            guard segment.since <= handedOutAt, !segment.isGap else { continue }
            retained.append(segment)
            expiries.append(mediaClock + segment.duration + longestSeconds)
        }
        segments.removeFirst(leaving)
        let expired = max(expiries.prefix { $0 <= mediaClock }.count, retained.count - Self.maximumSegmentCount)
        retained.removeFirst(expired)
        expiries.removeFirst(expired)
        return discontinuityCount
    }

    /// Segments are written in their order, a moment after they are finished, so only the newest can be open.
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

    /// Listed or retained.
    package func segment(mediaSequence: Int, epoch: Substring) -> ArchivedSegment? {
        for list in [segments, retained] {
            let index = list.firstIndex(fromMediaSequence: mediaSequence)
            guard index < list.count else { continue }
            let found = list[index]
            if found.heading.mediaSequence == mediaSequence, found.heading.epoch == epoch, !found.isGap { return found }
        }
        return nil
    }
}

extension [ArchivedSegment] {
    /// Of the first segment with that media sequence number or a higher one.
    func firstIndex(fromMediaSequence mediaSequence: Int) -> Int {
        firstIndex { $0.heading.mediaSequence >= mediaSequence }
    }

    /// Of the segment that is shown at that time, or of the first one behind it. Where one segment's date and duration
    /// reach some milliseconds into the next one's, it is the next one's time.
    ///
    /// - Parameter date: milliseconds since 1970.
    func firstIndex(showing date: Int64) -> Int {
        let next = firstIndex { $0.heading.programDateTime > date }
        guard next > 0 else { return 0 }
        let last = self[next - 1]
        let end = Double(last.heading.programDateTime) + last.duration * 1_000
        return end > Double(date) ? next - 1 : next
    }

    /// Bisects: those that come before do not satisfy the predicate, the others do.
    private func firstIndex(_ isLate: (ArchivedSegment) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isLate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
