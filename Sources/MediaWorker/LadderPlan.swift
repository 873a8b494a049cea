import MediaCore
package import Packaging
import Transcoding

/// The division of the work on a title's ladder into chunks. The plan depends only on the title's sample tables and the
/// number of workers, so the same file and number always give the same plan.
///
/// All renditions have segment boundaries where the title itself has them, which is at key frames of the source. So the
/// source stays one of the renditions whatever its groups of pictures are, the audio is segmented and offered once, and
/// a chunk begins where decoding can begin. Within a segment, the groups of pictures of a rendition are equally long
/// and at most 2 s.
package struct LadderPlan: Sendable, Hashable {
    /// A chunk: the work that one worker does, and that a crash loses at most.
    package struct Part: Sendable, Hashable {
        package var number: Int
        /// The segment of the source, in decoding order, at which decoding begins.
        var firstSegment: Int
        var segmentCount: Int
        var chunk: LadderChunk
        /// Duration in seconds.
        package var duration: Double

        /// The name in file names. The same chunk of the same file always has the same name, and another chunk never
        /// has it. So finished chunks can be reused after a restart, and are never confused when the number of workers
        /// has changed.
        package var name: String { "\(firstSegment)-\(segmentCount)" }
    }

    package let parts: [Part]
    /// The number of workers for which the parts are planned.
    package let workerCount: Int
    /// The end of the last frame, in ticks.
    let end: Int64
    package let timescale: Int32

    /// Duration of a group of pictures in seconds: an IDR frame at least every 2 s (HLS Authoring Specification 1.13).
    static let groupDuration = 2.0
    /// Tolerance as a share of ``groupDuration``, because the frames of a source do not lie exactly at multiples of 2
    /// s.
    private static let groupTolerance = 0.05
    /// Maximum duration of a part in seconds, if segments are short enough: the most that a crash costs a worker.
    static let maximumPartDuration = 30.0
    /// Minimum average duration of a part in seconds. A worker takes a tenth of a second to start, and an encoder some
    /// frames to find its rate.
    static let minimumPartDuration = 4.0

    /// - Throws: ``LadderWorkError`` if the timestamps of the source are not usable.
    package init(_ video: PackagedRendition, workerCount: Int) throws(LadderWorkError) {
        guard let timescale = Int32(exactly: video.track.timescale.ticksPerSecond) else {
            throw LadderWorkError("its timescale has more than 2^31 ticks per second")
        }
        let starts = video.segments.indices.map { video.firstSample(ofSegment: $0).presentationTime }
        try self.init(starts: starts, end: video.lastFrameEnd, timescale: timescale, workerCount: workerCount)
    }

    /// - Parameters:
    ///   - starts: the start times of the segments, in ticks.
    ///   - end: the end of the last segment, in ticks.
    init(starts: [Int64], end: Int64, timescale: Int32, workerCount: Int) throws(LadderWorkError) {
        let bounds = starts + [end]
        guard !starts.isEmpty, timescale > 0, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }),
            bounds.allSatisfy({ $0.magnitude < 1 << 60 })
        else { throw LadderWorkError("its key frames are not in the order of their timestamps") }
        let firsts = Self.firstSegments(bounds, timescale: timescale, workerCount: max(1, workerCount))
        parts = zip(firsts, firsts.dropFirst() + [starts.count]).enumerated().map { number, range in
            let (first, next) = range
            let groups = (first..<next).flatMap {
                Self.groupStarts(from: bounds[$0], to: bounds[$0 + 1], timescale: timescale)
            }
            return Part(
                number: number, firstSegment: first, segmentCount: next - first,
                chunk: LadderChunk(
                    timescale: timescale, groupStarts: groups, end: next == starts.count ? nil : bounds[next]),
                duration: Double(bounds[next] - bounds[first]) / Double(timescale))
        }
        self.workerCount = max(1, workerCount)
        self.end = end
        self.timescale = timescale
    }

    /// Divides the segments into parts as equal as possible. Their number is a multiple of the number of workers, which
    /// keeps all workers busy to the end.
    ///
    /// - Parameter bounds: the start times of the segments, and the end of the last one.
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
            // Leaves at least one segment for this part's predecessor, and for each part that follows.
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
        // Segments of a title are at most 20 s long; the bound protects against files with a wrong end time.
        let count = Int64(min(max(1, wanted), 1000))
        return (0..<count).map { start + (end - start) / count * $0 + (end - start) % count * $0 / count }
    }

    package var duration: Double { parts.reduce(0) { $0 + $1.duration } }
}
