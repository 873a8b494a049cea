import Glibc

/// The monotonic clock of the machine.
package struct MonotonicBroadcastClock: BroadcastClock {
    /// The longest sleep, so that a waiting thread notices a request to stop.
    private static let maximumSleepMicroseconds: Int64 = 50_000

    /// Creates a clock.
    package init() {}

    package var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    package func sleep(until time: Int64) {
        let rest = min(time - now, Self.maximumSleepMicroseconds)
        guard rest > 0 else { return }
        var duration = timespec(tv_sec: 0, tv_nsec: Int(rest) * 1_000)
        nanosleep(&duration, nil)
    }
}
