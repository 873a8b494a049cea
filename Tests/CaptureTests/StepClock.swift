import Synchronization

@testable import Capture

/// A clock that advances only while somebody sleeps or works.
final class StepClock: BroadcastClock {
    private let time = Mutex<Int64>(1_000_000)

    var now: Int64 { time.withLock { $0 } }
    func sleep(until wanted: Int64) { time.withLock { $0 = max($0, wanted) } }
    func pass(_ microseconds: Int64) { time.withLock { $0 += microseconds } }
}
