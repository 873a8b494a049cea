/// The growing delays between attempts at something that failed: of webhooks, push messages, mails, requests to object
/// stores, downloads and connections.
package struct RetrySchedule: Sendable, Hashable {
    /// The delay after the first attempt; it doubles with each.
    package var firstDelay: Duration
    package var maximumDelay: Duration
    /// Each delay is multiplied by a random factor from this range, so that those that failed together do not return
    /// together.
    package var jitter: ClosedRange<Double>
    /// Limit of the delay that the other side can ask for, such as with `Retry-After`.
    package var maximumRequestedDelay: Duration

    /// - Parameters:
    ///   - firstDelay: the delay after the first attempt.
    ///   - maximumDelay: the limit of delays.
    ///   - jitter: the range of the random factor of each delay.
    ///   - maximumRequestedDelay: the limit of delays that the other side asks for.
    package init(
        first firstDelay: Duration, maximum maximumDelay: Duration, jitter: ClosedRange<Double> = 1...1,
        maximumRequestedDelay: Duration = .zero
    ) {
        (self.firstDelay, self.maximumDelay) = (firstDelay, maximumDelay)
        (self.jitter, self.maximumRequestedDelay) = (jitter, maximumRequestedDelay)
    }

    /// More doublings than this are beyond every maximum.
    private static let maximumDoublingCount = 20

    /// The delay before the next attempt.
    ///
    /// - Parameters:
    ///   - attemptCount: the number of attempts so far, at least 1.
    ///   - requestedDelay: the delay that the other side has asked for; `nil` for none.
    ///   - factor: a number of ``jitter``.
    package func delay(
        after attemptCount: Int, requestedDelay: Duration? = nil, factor: Double = 1
    ) -> Duration {
        let doublings = min(max(attemptCount, 1) - 1, Self.maximumDoublingCount)
        let delay = min(firstDelay * (1 << doublings), maximumDelay) * factor
        return max(delay, requestedDelay.map { min($0, maximumRequestedDelay) } ?? .zero)
    }
}
