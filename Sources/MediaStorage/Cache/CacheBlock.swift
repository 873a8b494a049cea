/// A block of an object that is in the cache, or on its way into it or out of it.
struct CacheBlock: Sendable {
    enum State: Hashable {
        /// In the queue of requests; takes no space yet.
        case queued
        case fetching
        case present
        /// On its way out: still takes space, but is not read any more.
        case evicting
    }

    var object: Int
    var index: Int
    var byteCount: Int
    var state: State
    /// Readers that rely on the block.
    var leaseCount = 0
    /// The calls that wait for the block.
    var waiters: [UInt64] = []
    /// Neighbours in the order of use; both -1 at the ends, or outside the order.
    var previous = -1
    var next = -1
}
