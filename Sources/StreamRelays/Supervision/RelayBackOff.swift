/// The time before the next attempt. It doubles from 1 s to 30 s, and begins again after a connection that has worked.
struct RelayBackOff: Sendable, Hashable {
    static let first = Duration.seconds(1)
    static let longest = Duration.seconds(30)
    /// Doublings after which the longest time is reached.
    private static let maximumStepCount = 5

    private var stepCount = 0

    /// Notes the end of a connection.
    ///
    /// - Parameter hasWorked: whether media has flowed.
    /// - Returns: the time to wait.
    mutating func next(hasWorked: Bool) -> Duration {
        if hasWorked { stepCount = 0 }
        defer { stepCount = min(stepCount + 1, Self.maximumStepCount) }
        return min(Self.first * (1 << stepCount), Self.longest)
    }
}
