import MediaCore

/// When a message is sent again that was not acknowledged.
enum RetrySchedule {
    static let firstDelay = Duration.seconds(5)
    static let maximumDelay = Duration.seconds(4 * 3_600)
    /// Time after which a message is given up.
    static let patience = Duration.seconds(24 * 3_600)
    /// Each delay is multiplied by a random factor from this range, so that messages that failed together are not
    /// retried together.
    static let jitter = 0.8...1.2
    /// Limit of the delay that a receiver can ask for (`Retry-After`).
    static let maximumRequestedDelay = Duration.seconds(3_600)

    /// The time of the next attempt; `nil` if the message is given up.
    ///
    /// - Parameters:
    ///   - attemptCount: the number of attempts, at least 1.
    ///   - createdAt: the time at which the message was queued.
    ///   - time: now.
    ///   - requestedDelay: the delay that the receiver has asked for; `nil` for none.
    ///   - factor: a number of ``jitter``.
    static func nextAttempt(
        after attemptCount: Int, createdAt: WallClockTime, at time: WallClockTime, requestedDelay: Duration?,
        factor: Double
    ) -> WallClockTime? {
        let end = createdAt + patience
        guard time < end else { return nil }
        // Doubles up to the limit; more than a dozen doublings are beyond it.
        let doublings = min(max(attemptCount, 1) - 1, 16)
        let delay = min(firstDelay * (1 << doublings), maximumDelay) * factor
        return min(time + max(delay, requestedDelay.map { min($0, maximumRequestedDelay) } ?? .zero), end)
    }
}
