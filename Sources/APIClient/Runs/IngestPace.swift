/// Estimates the speed of a job and its remaining time.
struct IngestPace: Sendable {
    private var first: (time: ContinuousClock.Instant, fraction: Double)?
    private var last: (time: ContinuousClock.Instant, fraction: Double)?

    /// No estimate is shown before this time, because it would be a guess.
    private static let settlingTime = Duration.milliseconds(500)

    /// Records progress.
    ///
    /// - Parameter fraction: 0 to 1; `nil` if it is not known.
    mutating func note(_ fraction: Double?, at time: ContinuousClock.Instant) {
        guard let fraction, fraction > 0, fraction >= last?.fraction ?? 0 else { return }
        if first == nil { first = (time, fraction) }
        last = (time, fraction)
    }

    /// The estimate, such as `8.5 MB/s, 1:20 left`; `nil` if there is none yet.
    ///
    /// - Parameter byteCount: size of the whole file; `nil` omits the speed.
    func text(byteCount: Double?) -> String? {
        guard let first, let last, last.fraction > first.fraction else { return nil }
        let duration = last.time - first.time
        guard duration >= Self.settlingTime else { return nil }
        let seconds = duration / .seconds(1)
        let rate = (last.fraction - first.fraction) / seconds
        let left = "\(Self.clock((1 - last.fraction) / rate)) left"
        guard let byteCount, byteCount > 0 else { return left }
        return "\(Self.megabytes(rate * byteCount)) MB/s, \(left)"
    }

    private static func megabytes(_ bytes: Double) -> String {
        let megabytes = bytes / 1e6
        return megabytes < 10 ? "\((megabytes * 10).rounded() / 10)" : "\(Int(min(megabytes, 1e6).rounded()))"
    }

    /// Formats seconds as `1:02:03` or `2:03`.
    private static func clock(_ seconds: Double) -> String {
        let total = Int(min(seconds, 359_999).rounded(.up))
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = total / 60 % 60
        return total < 3_600
            ? "\(minutes):\(padded(total % 60))" : "\(total / 3_600):\(padded(minutes)):\(padded(total % 60))"
    }
}
