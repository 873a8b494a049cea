import Capture

/// Detects that this machine is too slow for the preset: frames are dropped because their time has passed.
struct PaceWatch {
    /// The share of late frames in a period that is not reported: another program that starts causes some.
    static let toleratedShare = 0.05
    /// The length of a period in seconds.
    static let period = 5.0
    /// The number of periods without late frames after which the next ones are reported again.
    static let quietPeriodCount = 12

    private var periodStart = 0.0
    private var statistics = BroadcastCaptureStatistics()
    private var quietPeriods = quietPeriodCount

    /// Checks a period's counts.
    ///
    /// - Parameters:
    ///   - now: The counts since the start.
    ///   - time: Seconds from the start of the broadcast.
    /// - Returns: A human-readable notice, once for as long as the condition lasts; otherwise `nil`.
    mutating func secondPassed(_ now: BroadcastCaptureStatistics, at time: Double) -> String? {
        guard time - periodStart >= Self.period else { return nil }
        let late = now.lateFrameCount - statistics.lateFrameCount
        let all = late + now.encodedFrameCount - statistics.encodedFrameCount
        (periodStart, statistics) = (time, now)
        guard Double(late) > Double(all) * Self.toleratedShare else {
            quietPeriods += 1
            return nil
        }
        defer { quietPeriods = 0 }
        guard quietPeriods >= Self.quietPeriodCount else { return nil }
        return "this machine is too slow for the preset: \(late) of \(all) frames were dropped; choose a smaller "
            + "preset, or a faster --encoder-speed"
    }
}
