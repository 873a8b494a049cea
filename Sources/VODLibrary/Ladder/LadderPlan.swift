import LibAV
import MediaCore
package import Packaging

/// How the work on a title's ladder is divided. It follows from the title's sample tables and the number of workers
/// alone: whoever opens the same file with the same number has the same plan.
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
        var segmentCount: Int
        var stretch: LadderStretch
        /// Seconds.
        var duration: Double

        /// In file names. The same stretch of the same file always has the same name, and another one never, so that
        /// what was made before is gone on with, and never mistaken where there are more or fewer workers by then.
        var name: String { "\(firstSegment)-\(segmentCount)" }
    }

    let parts: [Part]
    /// Those that the parts are meant for.
    let workerCount: Int
    /// The time behind the last picture, in ticks.
    let end: Int64
    let timescale: Int32

    /// Seconds: an IDR at least every 2 s (HLS Authoring Specification 1.13).
    static let groupDuration = 2.0
    /// Pictures of a source do not come exactly every 2 s.
    private static let groupTolerance = 0.05
    /// Seconds that a part has, if segments are short enough: what a kill costs a worker at most.
    static let maximumPartDuration = 30.0
    /// Seconds that a part has on average at least. A worker takes a tenth of a second to start, and an encoder some
    /// pictures to find its rate.
    static let minimumPartDuration = 4.0

    /// - Throws: ``LibraryError`` where the source's times make no sense.
    package init(_ video: PackagedRendition, workerCount: Int) throws(LibraryError) {
        guard let timescale = Int32(exactly: video.track.timescale.ticksPerSecond) else {
            throw LibraryError(.unplayable, "its clock has more than 2^31 ticks a second")
        }
        let starts = video.segments.indices.map { video.firstSample(ofSegment: $0).presentationTime }
        try self.init(starts: starts, end: video.lastPictureEnd, timescale: timescale, workerCount: workerCount)
    }

    /// - Parameters:
    ///   - starts: of the segments, in ticks.
    ///   - end: of the last one.
    init(starts: [Int64], end: Int64, timescale: Int32, workerCount: Int) throws(LibraryError) {
        let bounds = starts + [end]
        guard !starts.isEmpty, timescale > 0, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }),
            bounds.allSatisfy({ $0.magnitude < 1 << 60 })
        else { throw LibraryError(.unplayable, "its key frames do not follow one another in time") }
        let firsts = Self.firstSegments(bounds, timescale: timescale, workerCount: max(1, workerCount))
        parts = zip(firsts, firsts.dropFirst() + [starts.count]).enumerated().map { number, range in
            let (first, next) = range
            let groups = (first..<next).flatMap {
                Self.groupStarts(from: bounds[$0], to: bounds[$0 + 1], timescale: timescale)
            }
            return Part(
                number: number, firstSegment: first, segmentCount: next - first,
                stretch: LadderStretch(
                    timescale: timescale, groupStarts: groups, end: next == starts.count ? nil : bounds[next]),
                duration: Double(bounds[next] - bounds[first]) / Double(timescale))
        }
        self.workerCount = max(1, workerCount)
        self.end = end
        self.timescale = timescale
    }

    /// Parts as equal as segments allow, as many as keep all workers busy to the end: a multiple of their number.
    ///
    /// - Parameter bounds: of the segments.
    /// - Returns: each part's first segment.
    private static func firstSegments(_ bounds: [Int64], timescale: Int32, workerCount: Int) -> [Int] {
        let segmentCount = bounds.count - 1
        let length = Double(bounds[segmentCount] - bounds[0])
        let seconds = length / Double(timescale)
        let rounds = (seconds / (maximumPartDuration * Double(workerCount))).rounded(.up)
        let wanted = min(max(1, rounds) * Double(workerCount), max(1, (seconds / minimumPartDuration).rounded(.down)))
        let count = Int(min(wanted, Double(segmentCount)))
        var firsts = [0]
        for part in 1..<max(1, count) {
            let ideal = Double(bounds[0]) + length * Double(part) / Double(count)
            // One segment at least for this part's predecessor, and for each that follows.
            let last = segmentCount - (count - part)
            var first = firsts[part - 1] + 1
            while first < last, abs(Double(bounds[first + 1]) - ideal) <= abs(Double(bounds[first]) - ideal) {
                first += 1
            }
            firsts.append(first)
        }
        return firsts
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
