import MediaCore

/// Finds out whether a track's timestamps advance with time. Some encoders count in another unit than they declare
/// (milliseconds, or twice the clock rate); dates and durations made of such timestamps would be nonsense.
///
/// A publisher that has to catch up, or whose network is too slow, is not regular enough to be taken for one with
/// another clock.
struct ClockRateWatch: Sendable {
    /// Timestamps advance this much faster or slower than time before they are taken for wrong.
    static let minimumFactor = 1.5
    /// Duration of a measurement.
    static let interval = Duration.seconds(1)
    /// Number of measurements that have to agree.
    static let measurementCount = 5
    /// Share by which measurements may differ from their mean.
    static let tolerance = 0.06
    /// A longer time without a unit says nothing about the clock.
    static let maximumPause = Duration.seconds(2)

    private var first: Mark?
    private var begin: Mark?
    private var latest: Mark?
    private var rates: [Double] = []

    private struct Mark: Sendable {
        var time: MediaTime
        var arrivedAt: WallClockTime
    }

    /// The verdict about the timestamps.
    struct Verdict: Sendable, Hashable {
        /// Seconds of timestamps in a second; 1 for a clock that is right.
        var rate: Double
        /// Seconds by which the timestamps are ahead of time, negative if they are behind.
        var lead: Double
    }

    /// Notes a unit.
    ///
    /// - Returns: a verdict after each measurement that agrees with those before it; otherwise `nil`.
    mutating func note(_ time: MediaTime, arrivedAt: WallClockTime) -> Verdict? {
        let mark = Mark(time: time, arrivedAt: arrivedAt)
        defer { latest = mark }
        guard let first, let begin, let latest, arrivedAt >= latest.arrivedAt,
            arrivedAt - latest.arrivedAt <= Self.maximumPause
        else {
            if first == nil { first = mark }
            begin = mark
            rates = []
            return nil
        }
        let elapsed = arrivedAt - begin.arrivedAt
        guard elapsed >= Self.interval else { return nil }
        self.begin = mark
        if rates.count == Self.measurementCount { rates.removeFirst() }
        rates.append((time - begin.time).seconds / elapsed.seconds)
        guard rates.count == Self.measurementCount else { return nil }
        let mean = rates.reduce(0, +) / Double(rates.count)
        guard mean > 0, rates.allSatisfy({ abs($0 - mean) <= mean * Self.tolerance }) else { return nil }
        return Verdict(
            rate: Self.isWrong(mean) ? mean : 1,
            lead: (time - first.time).seconds - (arrivedAt - first.arrivedAt).seconds)
    }

    private static func isWrong(_ rate: Double) -> Bool { rate >= minimumFactor || rate <= 1 / minimumFactor }
}
