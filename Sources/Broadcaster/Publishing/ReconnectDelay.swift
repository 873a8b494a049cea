/// How long to wait before the next attempt: longer each time, so that a server that comes back is not run over by all
/// its broadcasters at once.
struct ReconnectDelay {
    static let firstMilliseconds = 500
    static let maximumMilliseconds = 15_000
    /// Of the delay, at random.
    static let spread = 0.25

    private(set) var attemptCount = 0

    /// - Returns: milliseconds.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Int {
        let doubled = Self.firstMilliseconds << min(attemptCount, 10)
        attemptCount += 1
        let delay = Double(min(doubled, Self.maximumMilliseconds))
        return Int(delay * Double.random(in: (1 - Self.spread)...(1 + Self.spread), using: &generator))
    }

    /// A push has lasted.
    mutating func reset() { attemptCount = 0 }
}
