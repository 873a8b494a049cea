import ISOBMFF
import MediaCore

/// The nominal frame rate in frames per second, such as 25 or 23.976.
package struct NominalFrameRate: Sendable, Hashable {
    /// The rate rounded to a thousandth, the precision of FRAME-RATE (rfc8216bis §4.4.6.2).
    package let value: Double

    /// A frame whose duration deviates by more than this share from the median is ignored: encoders stretch the last
    /// frame of a file, and recordings have gaps.
    private static let toleratedShare = 0.1
    /// The largest share of such frames; with more, all frames count.
    private static let maximumOutlierShare = 0.1
    /// The deviation within which an average is taken for a standard rate, because millisecond clocks round: half the
    /// distance from 23.976 to 24.
    private static let snappingShare = 0.000_5
    private static let usualRates = [23.976, 24, 25, 29.97, 30, 47.952, 48, 50, 59.94, 60]

    /// Rounds a measured rate.
    ///
    /// - Parameter framesPerSecond: A measured or computed rate with its noise. The result is `nil` unless it is
    ///   positive and finite.
    package init?(rounding framesPerSecond: Double) {
        guard framesPerSecond.isFinite, framesPerSecond > 0 else { return nil }
        let usual = Self.usualRates.first { abs($0 - framesPerSecond) <= $0 * Self.snappingShare }
        value = usual ?? (framesPerSecond * 1_000).rounded() / 1_000
    }

    /// Derives the rate from the durations of samples.
    ///
    /// - Parameters:
    ///   - durations: The duration of each sample in ticks of `timescale`.
    ///   - range: The samples that are presented.
    /// - Returns: `nil` without frames, or if all durations are zero.
    init?(durations: RunLengthArray, in range: Range<Int>, timescale: Timescale) {
        var counts: [UInt32: Int] = [:]
        var iterator = durations.makeIterator(from: range.lowerBound)
        var left = range.count
        while left > 0, let run = iterator.peekRun() {
            let count = min(run.count, left)
            counts[run.value, default: 0] += count
            iterator.skip(count)
            left -= count
        }
        let sorted = counts.sorted { $0.key < $1.key }
        let total = sorted.reduce(0) { $0 + $1.value }
        var seen = 0
        let median = sorted.first { entry in
            seen += entry.value
            return seen * 2 >= total
        }?.key
        guard let median, total > 0 else { return nil }
        let tolerance = max(1, Double(median) * Self.toleratedShare)
        let usual = sorted.filter { abs(Double($0.key) - Double(median)) <= tolerance }
        let usualCount = usual.reduce(0) { $0 + $1.value }
        let isUsual = Double(total - usualCount) <= max(1, Double(total) * Self.maximumOutlierShare)
        let (kept, count) = isUsual ? (usual, usualCount) : (sorted, total)
        let ticks = kept.reduce(0.0) { $0 + Double($1.key) * Double($1.value) }
        guard ticks > 0 else { return nil }
        self.init(rounding: Double(count) * Double(timescale.ticksPerSecond) / ticks)
    }
}
