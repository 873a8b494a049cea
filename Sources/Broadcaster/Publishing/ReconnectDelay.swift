/// The delay before the next attempt to connect. It doubles each time and varies at random, so that a server that comes
/// back is not overrun by all its broadcasters at once.
struct ReconnectDelay {
    static let first = Duration.milliseconds(500)
    static let maximum = Duration.seconds(15)
    /// The random variation, as a share of the delay.
    static let spread = 0.25

    private(set) var attemptCount = 0

    /// Returns the next delay.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let doubled = Self.first * (1 << min(attemptCount, 10))
        attemptCount += 1
        return min(doubled, Self.maximum) * Double.random(in: (1 - Self.spread)...(1 + Self.spread), using: &generator)
    }

    /// Starts over, after a connection that has lasted.
    mutating func reset() { attemptCount = 0 }
}
