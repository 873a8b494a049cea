/// A request that runs: what to fetch, where to write it, and which space to make first.
struct CacheWork: Sendable {
    /// A block that is given up.
    struct Eviction: Sendable {
        /// The block's number in the list of blocks.
        var block: Int
        var path: String
        var offset: Int64
        var byteCount: Int64
    }

    var request: CacheRequest
    var key: String
    var version: String
    var path: String
    var range: Range<Int64>
    var evictions: [Eviction]
}
