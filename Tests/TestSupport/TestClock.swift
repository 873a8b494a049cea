package import MediaCore
import Synchronization

/// A clock that stands still until a test moves it. Sleeping on it takes no time.
///
/// It is a `Clock`, and tells the time of day as well: ``advance(by:)`` moves both, ``set(_:)`` the time of day alone.
package final class TestClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    private struct State {
        /// The time of day at which nothing had elapsed.
        var origin: WallClockTime
        var elapsed = Duration.zero
    }

    private let state: Mutex<State>
    private let first = ContinuousClock.now

    /// 2026-01-01T00:00:00Z
    package static let start = WallClockTime(millisecondsSince1970: 1_767_225_600_000)

    package init(_ time: WallClockTime = TestClock.start) { state = Mutex(State(origin: time)) }

    /// The time by which the clock was moved.
    package var elapsed: Duration { state.withLock { $0.elapsed } }

    package func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

    /// Moves the clock to ``elapsed``, unless it is there already or later.
    package func advance(to elapsed: Duration) { state.withLock { $0.elapsed = max($0.elapsed, elapsed) } }

    // MARK: The time of day

    package var time: WallClockTime { state.withLock { $0.origin + $0.elapsed } }
    package var wallClock: WallClock { WallClock { self.time } }

    package func set(_ time: WallClockTime) { state.withLock { $0.origin = time - $0.elapsed } }

    // MARK: Clock

    package var now: Instant { first + elapsed }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
