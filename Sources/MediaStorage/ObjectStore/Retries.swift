import LogMetadata
import Logging

/// The tries of one call: waits between them, counts them, and turns the last failure into the call's error.
struct Retries {
    let store: ObjectStore
    let operation: String
    let key: String?
    private var budget: AttemptBudget
    private var start = ContinuousClock.now
    /// New credentials are tried once.
    private var hasRenewedCredentials = false

    /// - Parameter policy: `nil` for the policy of the store's settings.
    init(store: ObjectStore, operation: String, key: String?, policy: RetryPolicy? = nil) {
        self.store = store
        self.operation = operation
        self.key = key
        budget = AttemptBudget(policy ?? store.settings.retries)
    }

    /// Begins to count from the start, because there was progress.
    mutating func reset() {
        budget.reset()
        start = .now
    }

    /// Waits until the next try.
    ///
    /// - Throws: The error of the call if there is no further try.
    mutating func wait(after error: any Error) async throws {
        guard var failure = error as? AttemptFailure else { throw named(error) }
        if failure.refusedCredentials != nil, !hasRenewedCredentials {
            hasRenewedCredentials = true
            failure.isRetryable = true
        }
        let tryCount = budget.tryCount
        var random = SystemRandomNumberGenerator()
        guard let delay = budget.delay(after: failure, elapsed: .now - start, using: &random) else {
            var final = failure.error
            if tryCount > 1 { final.reason += "; \(tryCount) tries failed" }
            throw named(final)
        }
        store.count { $0.retryCount += 1 }
        store.logger.debug(
            "request to the object store failed; will retry",
            metadata: [
                .objectKey: "\(key ?? "")", .error: "\(failure.error.reason)", .seconds: "\(delay / .seconds(1))",
            ])
        try await Task.sleep(for: delay)
    }

    private func named(_ error: any Error) -> any Error {
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        guard var error = error as? MediaStorageError else { return error }
        store.count { $0.failureCount += 1 }
        error.operation = error.operation ?? operation
        error.key = error.key ?? key
        return error
    }
}
