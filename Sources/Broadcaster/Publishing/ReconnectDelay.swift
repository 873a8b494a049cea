/// The delay before the next attempt to connect. It doubles each time and varies at random, so that a server that comes
/// back is not overrun by all its broadcasters at once.
struct ReconnectDelay {
    static let firstMilliseconds = 500
    static let maximumMilliseconds = 15_000
    /// The random variation, as a share of the delay.
    static let spread = 0.25

    private(set) var attemptCount = 0

    /// Returns the next delay in milliseconds.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Int {
        let doubled = Self.firstMilliseconds << min(attemptCount, 10)
        attemptCount += 1
        let delay = Double(min(doubled, Self.maximumMilliseconds))
        return Int(delay * Double.random(in: (1 - Self.spread)...(1 + Self.spread), using: &generator))
    }

    /// Starts over, after a connection that has lasted.
    mutating func reset() { attemptCount = 0 }
}
