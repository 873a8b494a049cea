/// One try of a request failed.
struct AttemptFailure: Error {
    var error: MediaStorageError
    /// True if the same request may succeed when it is tried again.
    var isRetryable: Bool
    /// The delay that the store asks for.
    var retryAfter: Duration?
    /// Set if the store does not accept these credentials any more.
    var refusedCredentials: StoreCredentials?

    init(_ error: MediaStorageError, isRetryable: Bool) {
        self.error = error
        self.isRetryable = isRetryable
    }
}
