/// A rendition's average and peak bit rate as the specification defines them (rfc8216bis §4.4.6.2 and §1.2, "peak
/// segment bit rate").
package struct SegmentBitRate: Sendable, Hashable {
    /// The average in bits per second.
    package var average: Int
    /// The highest rate of any run of whole segments that lasts 0.5 to 1.5 target durations, in bits per second.
    package var peak: Int

    /// Measures a list of segments; durations are in seconds.
    package init(segments: [(byteCount: Int, duration: Double)], targetDuration: Double) {
        let bytes = segments.reduce(0) { $0 + $1.byteCount }
        let seconds = segments.reduce(0) { $0 + $1.duration }
        average = Self.rate(bytes, seconds)
        var peak = 0
        for start in segments.indices {
            var (runBytes, runSeconds) = (0, 0.0)
            for segment in segments[start...] {
                runBytes += segment.byteCount
                runSeconds += segment.duration
                if runSeconds > 1.5 * targetDuration { break }
                if runSeconds >= 0.5 * targetDuration { peak = max(peak, Self.rate(runBytes, runSeconds)) }
            }
        }
        // A title shorter than half a target duration has no such run.
        self.peak = max(peak, average)
    }

    /// The largest rate: samples that claim gigabytes within microseconds have a rate that no integer holds.
    private static let maximumRate = 1e15

    private static func rate(_ bytes: Int, _ seconds: Double) -> Int {
        seconds > 0 ? Int(min(maximumRate, (Double(bytes) * 8 / seconds).rounded(.up))) : 0
    }
}
