/// The number of tries of a request, and their limits of time.
package struct RetryPolicy: Sendable, Hashable {
    /// Tries without progress, the first one included.
    package var maximumTryCount = 5
    /// No try begins later than this after the first one, or after the last progress.
    package var totalLimit = Duration.seconds(30)
    /// The upper bound of the first delay; it doubles with each try.
    package var firstDelay = Duration.milliseconds(200)
    package var maximumDelay = Duration.seconds(5)
    /// The longest wait that a store may ask for with Retry-After.
    package var maximumRetryAfter = Duration.seconds(20)

    package init() {}

    /// The policy of requests that delete what an upload left; a cancelled upload waits for them.
    static let cleanup = {
        var policy = RetryPolicy()
        policy.maximumTryCount = 3
        policy.totalLimit = .seconds(10)
        policy.maximumRetryAfter = .seconds(2)
        return policy
    }()
}
