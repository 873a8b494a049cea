/// A member's remaining requests.
package struct RequestQuota: Sendable, Hashable {
    /// Requests within the window.
    package var count: Int
    package var window: Duration
    /// Requests that are left.
    package var remainingCount: Int
    /// Time until there is another one, at most the window.
    package var reset: Duration

    package init(count: Int, window: Duration, remainingCount: Int, reset: Duration) {
        (self.count, self.window) = (count, window)
        (self.remainingCount, self.reset) = (remainingCount, reset)
    }
}
