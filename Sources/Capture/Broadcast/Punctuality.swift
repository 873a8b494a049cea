/// Detects frames that are too late to be encoded; they are dropped, so that the others are on time.
struct Punctuality {
    /// The largest delay of a frame after its time.
    static let maximumLatenessMicroseconds: Int64 = 500_000

    let clock: BroadcastClock
    let control: BroadcastControl

    /// Returns whether to drop a frame, and counts it if so.
    ///
    /// - Parameters:
    ///   - time: The frame's time in microseconds from the start of the capture.
    ///   - origin: The start of the capture on the clock.
    func isLate(_ time: Int64, origin: Int64) -> Bool {
        guard clock.now() - origin - time > Self.maximumLatenessMicroseconds else { return false }
        control.count { $0.lateFrameCount += 1 }
        return true
    }
}
