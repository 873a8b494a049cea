/// Limits of a ``RangeCache``. The defaults suit a server; tests use smaller ones.
package struct RangeCacheSettings: Sendable, Hashable {
    /// The unit in which objects are fetched and evicted. A multiple of the file system's blocks.
    package var blockByteCount = 1 << 20
    /// Neighbouring blocks that one request to the store fetches.
    package var maximumBlocksPerRequest = 8
    /// The greatest number of blocks that are read ahead of a sequential reader.
    package var maximumReadAheadBlockCount = 8
    /// Requests to the store that run at the same time.
    package var maximumRequestCount = 8
    /// Requests among these that nobody waits for yet.
    package var maximumReadAheadRequestCount = 4
    /// Bytes that are being fetched for one object at the same time.
    package var maximumObjectByteCountInFlight: Int64 = 16 << 20
    /// Requests that read ahead and wait for their turn; further ones are dropped.
    package var maximumQueuedReadAheadCount = 32
    /// Calls that wait for blocks; further ones fail with ``MediaStorageError/Code/busy``.
    package var maximumWaitingCallCount = 1_024

    /// Consecutive failures after which the store counts as away.
    package var failuresUntilOpen = 3
    /// The time in which calls then fail at once, until one request tries the store again. Doubles with each failed
    /// trial.
    package var firstOpenTime = Duration.seconds(2)
    package var maximumOpenTime = Duration.seconds(30)

    /// Bytes that are given back at least when the disk is full.
    package var diskFullReserveByteCount: Int64 = 64 << 20
    /// The time in which the cache stays small after the disk was full.
    package var diskFullTime = Duration.seconds(600)

    package init() {}
}
