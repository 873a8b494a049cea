import LibAV
import MediaCore
package import Packaging

/// How the work on a title's ladder is divided. It follows from the title's sample tables alone: whoever opens the same
/// file has the same plan.
///
/// All rungs have segments where the title itself has them, which is at key frames of the source. So the source stays
/// one of the qualities whatever its groups of pictures are, sound is cut and offered once, and a stretch begins where
/// decoding can. Within a segment the groups of a rung are equally long and at most 2 s.
package struct LadderPlan: Sendable, Hashable {
    /// Work that is lost by a kill at most, and done by one worker.
    struct Part: Sendable, Hashable {
        var number: Int
        /// Of the source, in decoding order: where decoding begins.
        var firstSegment: Int
        var stretch: LadderStretch
        /// Seconds.
        var duration: Double
    }

    let parts: [Part]
    /// The time behind the last picture, in ticks.
    let end: Int64
    let timescale: Int32

    /// hls-rules 1.13: an IDR at least every 2 s.
    static let groupDuration = 2.0
    /// Pictures of a source do not come exactly every 2 s.
    private static let groupTolerance = 0.05
    /// Seconds that a part has at least. A worker takes a tenth of a second to start.
    static let minimumPartDuration = 20.0

    /// - Throws: ``LibraryError`` where the source's times make no sense.
    package init(_ video: PackagedRendition) throws(LibraryError) {
        guard let timescale = Int32(exactly: video.track.timescale.ticksPerSecond) else {
            throw LibraryError(.unplayable, "its clock has more than 2^31 ticks a second")
        }
        let starts = video.segments.indices.map { video.firstSample(ofSegment: $0).presentationTime }
        try self.init(starts: starts, end: video.lastPictureEnd, timescale: timescale)
    }

    /// - Parameters:
    ///   - starts: of the segments, in ticks.
    ///   - end: of the last one.
    init(starts: [Int64], end: Int64, timescale: Int32) throws(LibraryError) {
        let bounds = starts + [end]
        guard !starts.isEmpty, timescale > 0, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }),
            bounds.allSatisfy({ $0.magnitude < 1 << 60 })
        else { throw LibraryError(.unplayable, "its key frames do not follow one another in time") }
        let perSecond = Double(timescale)
        var parts: [Part] = []
        var groups: [Int64] = []
        var first = 0
        for segment in starts.indices {
            let (start, next) = (bounds[segment], bounds[segment + 1])
            groups += Self.groupStarts(from: start, to: next, timescale: timescale)
            let seconds = Double(next - bounds[first]) / perSecond
            let isLast = segment + 1 == starts.count
            guard isLast || seconds >= Self.minimumPartDuration else { continue }
            parts.append(
                Part(
                    number: parts.count, firstSegment: first,
                    stretch: LadderStretch(timescale: timescale, groupStarts: groups, end: isLast ? nil : next),
                    duration: seconds))
            first = segment + 1
            groups = []
        }
        self.parts = parts
        self.end = end
        self.timescale = timescale
    }

    private static func groupStarts(from start: Int64, to end: Int64, timescale: Int32) -> [Int64] {
        let seconds = Double(end - start) / Double(timescale)
        let wanted = (seconds / groupDuration - groupTolerance).rounded(.up)
        // Segments of a title are at most 20 s long; the bound is for those who lie about the last one.
        let count = Int64(min(max(1, wanted), 1000))
        return (0..<count).map { start + (end - start) / count * $0 + (end - start) % count * $0 / count }
    }

    var duration: Double { parts.reduce(0) { $0 + $1.duration } }
}
