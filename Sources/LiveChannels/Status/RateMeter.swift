import MediaCore

/// Measures a track's frames and bits per second over the last few seconds.
///
/// It counts single units as they arrive, and knows silence. `Broadcaster.RateWindow` derives a rate from totals that
/// are read once a second, and `APIClient.IngestPace` estimates when work of a known size will end.
struct RateMeter: Sendable {
    /// The measured rates.
    struct Rates: Sendable, Hashable {
        /// Frames per second, rounded to one hundredth.
        var frameRate: Double
        /// Bits per second.
        var bitRate: Int
    }

    private struct Interval: Sendable {
        var start: WallClockTime
        var end: WallClockTime
        var frameCount: Int
        var byteCount: Int
    }

    /// Finished intervals, oldest first.
    private var intervals: [Interval] = []
    /// The interval in which units are being counted; it ends at the newest unit.
    private var current: Interval?

    static let intervalDuration = Duration.seconds(1)
    static let intervalCount = 5
    /// The time without a unit after which a track is taken to be silent; its silence counts from then on.
    static let silenceDuration = Duration.seconds(2)
    /// The time after which a measurement is out of date.
    static let windowDuration = intervalDuration * intervalCount
    /// ``intervalDuration`` in milliseconds, for the comparison with each unit.
    private static let intervalMilliseconds = intervalDuration.wholeMilliseconds

    /// Counts a unit.
    ///
    /// - Parameter now: the current time. If it goes back, counting starts again.
    /// - Returns: whether an interval ended, so that ``rates(at:)`` has changed.
    mutating func add(byteCount: Int, now: WallClockTime) -> Bool {
        guard var interval = current, now >= interval.end else {
            intervals = []
            current = Interval(start: now, end: now, frameCount: 1, byteCount: byteCount)
            return false
        }
        if now.milliseconds(since: interval.start) < Self.intervalMilliseconds {
            interval.end = now
            interval.frameCount += 1
            interval.byteCount += byteCount
            current = interval
            return false
        }
        if intervals.count == Self.intervalCount { intervals.removeFirst() }
        interval.end = now
        intervals.append(interval)
        current = Interval(start: now, end: now, frameCount: 1, byteCount: byteCount)
        return true
    }

    /// The time of the newest unit; `nil` if there was none.
    var newestAt: WallClockTime? { current?.end }

    /// The current rates. They fall to zero when a track goes silent. `nil` before the first interval has ended.
    func rates(at now: WallClockTime) -> Rates? {
        guard let current, let newest = intervals.last else { return nil }
        guard now - current.end < Self.windowDuration else { return Rates(frameRate: 0, bitRate: 0) }
        var counted = intervals.filter { now - $0.end < Self.windowDuration }
        if now - current.end >= Self.silenceDuration {
            counted.append(
                Interval(
                    start: current.start, end: now, frameCount: current.frameCount, byteCount: current.byteCount))
        } else if counted.isEmpty {
            counted = [newest]
        }
        let milliseconds = Double(max(1, counted.reduce(0) { $0 + $1.end.milliseconds(since: $1.start) }))
        let frameCount = Double(counted.reduce(0) { $0 + $1.frameCount })
        let byteCount = Double(counted.reduce(0) { $0 + $1.byteCount })
        return Rates(
            frameRate: (frameCount * 100_000 / milliseconds).rounded() / 100,
            bitRate: Int(exactly: (byteCount * 8_000 / milliseconds).rounded()) ?? .max)
    }
}
