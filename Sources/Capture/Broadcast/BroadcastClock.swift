import Glibc

/// A capture's clock: microseconds since an arbitrary point in time, never going back.
package protocol BroadcastClock: Sendable {
    /// The current time in microseconds.
    var now: Int64 { get }
    /// Returns at that time or a little earlier; the caller checks again.
    func sleep(until time: Int64)
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
