/// Decides whether a store that failed is asked again.
///
/// After several consecutive failures the store counts as away: nothing is asked for a while, then one request tries
/// it.
struct CircuitBreaker: Sendable, Hashable {
    private enum State: Hashable {
        case closed(failureCount: Int)
        /// Times are durations since the cache's start.
        case open(until: Duration)
        /// One request is on its way to find out.
        case probing
    }

    private let failuresUntilOpen: Int
    private let openTimes: ClosedRange<Duration>
    private var state = State.closed(failureCount: 0)
    private var openTime: Duration

    init(failuresUntilOpen: Int, openTimes: ClosedRange<Duration>) {
        self.failuresUntilOpen = failuresUntilOpen
        self.openTimes = openTimes
        openTime = openTimes.lowerBound
    }

    /// Returns whether new calls fail at once.
    func isOpen(at now: Duration) -> Bool {
        switch state {
        case .closed: false
        case .open(let until): now < until
        case .probing: true
        }
    }

    /// Asks for permission to send a request; its outcome must be told.
    mutating func admits(at now: Duration) -> Bool {
        switch state {
        case .closed: return true
        case .open(let until):
            guard now >= until else { return false }
            state = .probing
            return true
        case .probing: return false
        }
    }

    /// A request succeeded, or the store answered that it does not serve it.
    mutating func succeeded() {
        state = .closed(failureCount: 0)
        openTime = openTimes.lowerBound
    }

    /// A request failed because the store is away.
    mutating func failed(at now: Duration) {
        switch state {
        case .closed(let count):
            state = count + 1 >= failuresUntilOpen ? .open(until: now + openTime) : .closed(failureCount: count + 1)
        // One that began before the store counted as away.
        case .open: break
        case .probing:
            openTime = min(openTime * 2, openTimes.upperBound)
            state = .open(until: now + openTime)
        }
    }

    /// A request ended without an outcome. If it was to find out, the next one does.
    mutating func abandoned(at now: Duration) {
        if case .probing = state { state = .open(until: now) }
    }
}
