import Glibc

/// The current time, for program dates and for times in statuses; tests supply their own.
package struct WallClock: Sendable {
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64

    /// Creates a clock; `now` returns milliseconds since 1970.
    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    package static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
