package import MediaCore

/// The number of tries of a request, and their limits of time.
package struct RetryPolicy: Sendable, Hashable {
    /// Tries without progress, the first one included.
    package var maximumTryCount = 5
    /// No try begins later than this after the first one, or after the last progress.
    package var totalLimit = Duration.seconds(30)
    /// Delays have full jitter, so that clients that failed together do not return together.
    package var schedule = RetrySchedule(
        first: .milliseconds(200), maximum: .seconds(5), jitter: 0...1, maximumRequestedDelay: .seconds(20))

    package init() {}

    /// The policy of requests that delete what an upload left; a cancelled upload waits for them.
    static let cleanup = {
        var policy = RetryPolicy()
        policy.maximumTryCount = 3
        policy.totalLimit = .seconds(10)
        policy.schedule.maximumRequestedDelay = .seconds(2)
        return policy
    }()
}
