/// Neighbouring blocks that are fetched with one request.
struct CacheRequest: Sendable, Hashable {
    var object: Int
    var blocks: Range<Int>
    /// True if a call waits for one of the blocks.
    var isAwaited: Bool
}
