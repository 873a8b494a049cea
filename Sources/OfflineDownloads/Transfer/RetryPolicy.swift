package import MediaCore

/// How a download goes on after an interruption.
package struct RetryPolicy: Sendable {
    /// Failures in a row, without a byte in between, after which a download gives up.
    package var maximumFailureCount = 40
    /// Times that a chunk may arrive with other bytes than it should have.
    package var maximumCorruptCount = 3
    package var schedule = RetrySchedule(first: .milliseconds(250), maximum: .seconds(10))
    /// Waits; tests do not.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    package init() {}
}
