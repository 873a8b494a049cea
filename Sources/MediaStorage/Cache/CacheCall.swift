/// A call that waits for blocks.
struct CacheCall: Sendable {
    /// The blocks that are missing.
    var missingCount: Int
    let then: @Sendable (Result<Void, any Error>) -> Void
}
