import MediaCore

/// When a message is sent again that was not acknowledged.
enum DeliveryRetries {
    static let schedule = RetrySchedule(
        first: .seconds(5), maximum: .seconds(4 * 3_600), jitter: 0.8...1.2, maximumRequestedDelay: .seconds(3_600))
    /// Time after which a message is given up.
    static let patience = Duration.seconds(24 * 3_600)

    /// The time of the next attempt; `nil` if the message is given up.
    ///
    /// - Parameters:
    ///   - attemptCount: the number of attempts, at least 1.
    ///   - createdAt: the time at which the message was queued.
    ///   - time: now.
    ///   - requestedDelay: the delay that the receiver has asked for; `nil` for none.
    ///   - factor: a number of the schedule's jitter.
    static func nextAttempt(
        after attemptCount: Int, createdAt: WallClockTime, at time: WallClockTime, requestedDelay: Duration?,
        factor: Double
    ) -> WallClockTime? {
        let end = createdAt + patience
        guard time < end else { return nil }
        return min(
            time + schedule.delay(after: attemptCount, requestedDelay: requestedDelay, factor: factor), end)
    }
}
