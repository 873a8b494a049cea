import LiveChannels
import Synchronization

/// A wall clock that stands still until it is moved.
final class TestClock: Sendable {
    private let milliseconds: Mutex<Int64>

    /// 2026-01-01T00:00:00Z
    static let start: Int64 = 1_767_225_600_000

    init(_ milliseconds: Int64 = TestClock.start) { self.milliseconds = Mutex(milliseconds) }

    var now: Int64 { milliseconds.withLock { $0 } }
    var wallClock: WallClock { WallClock { self.now } }

    func advance(milliseconds: Int64) { self.milliseconds.withLock { $0 += milliseconds } }
    func set(_ now: Int64) { milliseconds.withLock { $0 = now } }
}
