/// A rate over the last seconds, computed from rising counts.
struct RateWindow {
    static let seconds = 5.0

    private var samples: [(time: Double, count: Int)] = []

    /// Adds a sample and returns the rate.
    ///
    /// - Parameter time: Rising times in seconds.
    /// - Returns: Counts per second; zero before two samples.
    mutating func rate(count: Int, at time: Double) -> Double {
        samples.append((time, count))
        while samples.count > 2, time - samples[1].time >= Self.seconds { samples.removeFirst() }
        guard let first = samples.first, time > first.time else { return 0 }
        return max(0, Double(count - first.count)) / (time - first.time)
    }
}
