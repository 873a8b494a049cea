import MediaCore

/// Decides after each failure whether there is another try, and when.
struct AttemptBudget: Sendable {
    let policy: RetryPolicy
    private(set) var tryCount = 1

    init(_ policy: RetryPolicy) { self.policy = policy }

    /// Begins to count from the start, because there was progress.
    mutating func reset() { tryCount = 1 }

    /// - Parameters:
    ///   - failure: The failure of the last try.
    ///   - elapsed: The time since the first try, or since the last progress.
    ///   - random: The source of the jitter.
    /// - Returns: The time until the next try; `nil` if there is none.
    mutating func delay(
        after failure: AttemptFailure, elapsed: Duration, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard failure.isRetryable, tryCount < policy.maximumTryCount else { return nil }
        let delay = policy.schedule.delay(
            after: tryCount, requestedDelay: failure.retryAfter,
            factor: .random(in: policy.schedule.jitter, using: &random))
        guard elapsed + delay < policy.totalLimit else { return nil }
        tryCount += 1
        return delay
    }
}
