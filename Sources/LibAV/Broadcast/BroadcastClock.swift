import Glibc

/// A capture's clock: microseconds since an arbitrary point in time, never going back.
package protocol BroadcastClock: Sendable {
    /// The current time in microseconds.
    var now: Int64 { get }
    /// Returns at that time or a little earlier; the caller checks again.
    func sleep(until time: Int64)
}

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

/// The clocks that Linux's devices use, in microseconds.
enum MachineClocks {
    /// The current times: since 1970, for sound servers and screens, and since the machine's start, for cameras.
    static var now: [Int64] {
        [CLOCK_REALTIME, CLOCK_MONOTONIC].map { clock in
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        }
    }
}

extension BroadcastClock {
    /// Waits until a time.
    ///
    /// - Returns: False if the capture is to stop.
    func wait(until time: Int64, _ control: BroadcastControl) -> Bool {
        while !control.shouldStop {
            if now >= time { return true }
            sleep(until: time)
        }
        return false
    }
}

/// Detects frames that are too late to be encoded; they are dropped, so that the others are on time.
struct Punctuality {
    /// The largest delay of a frame after its time.
    static let maximumLatenessMicroseconds: Int64 = 500_000

    let clock: any BroadcastClock
    let control: BroadcastControl

    /// Returns whether to drop a frame, and counts it if so.
    ///
    /// - Parameters:
    ///   - time: The frame's time in microseconds from the start of the capture.
    ///   - origin: The start of the capture on the clock.
    func isLate(_ time: Int64, origin: Int64) -> Bool {
        guard clock.now - origin - time > Self.maximumLatenessMicroseconds else { return false }
        control.count { $0.latePictureCount += 1 }
        return true
    }
}
