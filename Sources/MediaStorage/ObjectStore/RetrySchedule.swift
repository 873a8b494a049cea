/// Decides after each failure whether there is another try, and when. Delays have full jitter: anything between zero
/// and a bound that doubles, so that clients that failed together do not return together.
struct RetrySchedule: Sendable {
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
        let bound = min(policy.maximumDelay, policy.firstDelay * (1 << min(tryCount - 1, 16)))
        var delay = bound * Double.random(in: 0...1, using: &random)
        if let wanted = failure.retryAfter { delay = max(delay, min(wanted, policy.maximumRetryAfter)) }
        guard elapsed + delay < policy.totalLimit else { return nil }
        tryCount += 1
        return delay
    }
}
