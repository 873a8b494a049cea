/// Limits of the connections of a server of encoders and readers.
package struct ConnectionLimits: Sendable, Hashable {
    /// Limit on connections.
    package var maximumConnectionCount: Int
    /// Limit on connections per address. An IPv6 /64 counts as one address.
    package var maximumConnectionsPerAddress: Int
    /// Time after which a connection that has set up a track without going on may be closed in favour of another one.
    package var setUpPatience: Duration
    /// Denominator of the share of places that is reserved for publishers: one in four.
    package static let publisherShare = 4

    /// - Parameters:
    ///   - total: limit on connections.
    ///   - perAddress: limit on connections per address.
    ///   - setUpPatience: time for going on after a track was set up.
    package init(total: Int, perAddress: Int, setUpPatience: Duration) {
        (maximumConnectionCount, maximumConnectionsPerAddress) = (total, perAddress)
        self.setUpPatience = setUpPatience
    }

    /// Number of places that readers may occupy of `count` places.
    package func readers(among count: Int) -> Int { count - count / Self.publisherShare }
}
