/// How a download goes on after an interruption.
package struct RetryPolicy: Sendable {
    /// Failures in a row, without a byte in between, after which a download gives up.
    package var maximumFailureCount = 40
    /// Times that a chunk may arrive with other bytes than it should have.
    package var maximumCorruptCount = 3
    package var firstDelay = Duration.milliseconds(250)
    package var longestDelay = Duration.seconds(10)
    /// Waits; tests do not.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    package init() {}

    /// The delay before an attempt.
    ///
    /// - Parameter failureCount: failures in a row, from 1.
    func delay(after failureCount: Int) -> Duration {
        min(firstDelay * (1 << min(max(failureCount, 1) - 1, 10)), longestDelay)
    }
}
