import Glibc

/// A capture's time: microseconds since some moment, never going back.
package protocol BroadcastClock: Sendable {
    var now: Int64 { get }
    /// Returns at that time, or a little earlier: whoever waits looks again.
    func sleep(until time: Int64)
}

/// The machine's.
package struct MonotonicBroadcastClock: BroadcastClock {
    /// At most: so that a thread that waits sees that it has to stop.
    private static let maximumSleepMicroseconds: Int64 = 50_000

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

/// The clocks that Linux's devices count by, in microseconds.
enum MachineClocks {
    /// Sound servers and screens: since 1970; cameras: since the machine's start.
    static var now: [Int64] {
        [CLOCK_REALTIME, CLOCK_MONOTONIC].map { clock in
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        }
    }
}

extension BroadcastClock {
    /// - Returns: false where the capture is to stop.
    func wait(until time: Int64, _ control: BroadcastControl) -> Bool {
        while !control.shouldStop {
            if now >= time { return true }
            sleep(until: time)
        }
        return false
    }
}

/// Tells pictures that this machine has no time for: they are left out, so that the others come when they should.
struct Punctuality {
    /// How much after its time a picture may come.
    static let maximumLatenessMicroseconds: Int64 = 500_000

    let clock: any BroadcastClock
    let control: BroadcastControl

    /// - Parameters:
    ///   - time: of the picture, in microseconds from the start of the capture.
    ///   - origin: of the capture, on the clock.
    /// - Returns: whether to leave it out; that is counted.
    func isLate(_ time: Int64, origin: Int64) -> Bool {
        guard clock.now - origin - time > Self.maximumLatenessMicroseconds else { return false }
        control.count { $0.latePictureCount += 1 }
        return true
    }
}
