/// Neighbouring blocks that are fetched with one request.
struct CacheRequest: Sendable, Hashable {
    var object: Int
    var blocks: Range<Int>
    /// Whether a call waits for one of the blocks.
    var isAwaited: Bool
}
