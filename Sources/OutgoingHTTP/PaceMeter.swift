/// Decides whether a peer keeps a pace. It is pure.
struct PaceMeter {
    private let pace: PacedBody.Pace
    private var byteCount = 0
    private var waited = Duration.zero

    init(_ pace: PacedBody.Pace) { self.pace = pace }

    /// Counts a piece, and the time for which it was waited.
    ///
    /// - Throws: ``ExchangeTimeout`` if the peer is too slow.
    mutating func receive(_ byteCount: Int, after time: Duration) throws(ExchangeTimeout) {
        self.byteCount += byteCount
        waited += time
        guard self.byteCount < pace.byteCount else {
            (self.byteCount, waited) = (0, .zero)
            return
        }
        if waited >= pace.time { throw ExchangeTimeout(limit: waited) }
    }
}
