/// The counters of an ``ObjectStore`` since it was created.
package struct ObjectStoreStatistics: Sendable, Hashable {
    /// Requests that were sent, each try counted.
    package var requestCount: Int64 = 0
    /// Tries that failed and were followed by another one.
    package var retryCount: Int64 = 0
    /// Calls that failed after all tries.
    package var failureCount: Int64 = 0
    /// Bytes of objects that arrived.
    package var receivedByteCount: Int64 = 0
    /// Bytes of objects that the store has confirmed.
    package var sentByteCount: Int64 = 0

    package init() {}
}
