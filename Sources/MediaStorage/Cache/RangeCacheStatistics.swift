/// The counters of a ``RangeCache`` since it was created, and the size of its content.
package struct RangeCacheStatistics: Sendable, Hashable {
    /// Reads whose blocks were all present.
    package var hitCount: Int64 = 0
    /// Reads that lacked a block.
    package var missCount: Int64 = 0
    package var fetchedByteCount: Int64 = 0
    /// Bytes of the blocks that are on the disk.
    package var presentByteCount: Int64 = 0
    /// Blocks that were given up for others.
    package var evictionCount: Int64 = 0
    /// Requests to the store that failed after all their tries, and blocks that could not be written.
    package var errorCount: Int64 = 0
    /// Requests to the store that have ended.
    package var requestCount: Int64 = 0
    /// The time that these requests took, from the start to the last byte, all together.
    package var requestDuration = Duration.zero
    /// The time that they took to the first complete block, all together.
    package var firstBlockDuration = Duration.zero
    /// Calls that wait for blocks.
    package var waitingCallCount = 0
    /// True if calls fail at once because the store is away.
    package var isStoreAway = false
    /// The size that the cache may have now: less than configured after the disk was full.
    package var maximumByteCount: Int64 = 0

    package init() {}
}
