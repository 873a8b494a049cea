import Glibc

/// A capture's clock: microseconds since an arbitrary point in time, never going back. Tests supply their own.
package struct BroadcastClock: Sendable {
    /// The current time in microseconds.
    package var now: @Sendable () -> Int64
    /// Returns at that time or a little earlier; the caller checks again.
    package var sleep: @Sendable (_ deadline: Int64) -> Void

    package init(now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ deadline: Int64) -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The longest sleep in microseconds, so that a waiting thread notices a request to stop.
    private static let maximumSleep: Int64 = 50_000

    /// The monotonic clock of the machine.
    package static let monotonic = BroadcastClock(now: monotonicTime) { deadline in
        let rest = min(deadline - monotonicTime(), maximumSleep)
        guard rest > 0 else { return }
        var duration = timespec(tv_sec: 0, tv_nsec: Int(rest) * 1_000)
        nanosleep(&duration, nil)
    }

    private static func monotonicTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Waits until a time.
    ///
    /// - Returns: False if the capture is to stop.
    func wait(until time: Int64, _ control: BroadcastControl) -> Bool {
        while !control.shouldStop {
            if now() >= time { return true }
            sleep(time)
        }
        return false
    }
}
