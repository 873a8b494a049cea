import LibAV

/// Notices that this machine is too slow for the preset: pictures are left out because their time has passed.
struct PaceWatch {
    /// Of the pictures of a period, the share that may be late unmentioned: another program that starts costs some.
    static let toleratedShare = 0.05
    /// Seconds.
    static let period = 5.0
    /// Periods without late pictures, behind which it is said again.
    static let quietPeriodCount = 12

    private var periodStart = 0.0
    private var statistics = BroadcastCaptureStatistics()
    private var quietPeriods = quietPeriodCount

    /// - Parameters:
    ///   - now: since the start.
    ///   - time: seconds from the start of the broadcast.
    /// - Returns: what a person should know, once for as long as it lasts.
    mutating func secondPassed(_ now: BroadcastCaptureStatistics, at time: Double) -> String? {
        guard time - periodStart >= Self.period else { return nil }
        let late = now.latePictureCount - statistics.latePictureCount
        let all = late + now.encodedPictureCount - statistics.encodedPictureCount
        (periodStart, statistics) = (time, now)
        guard Double(late) > Double(all) * Self.toleratedShare else {
            quietPeriods += 1
            return nil
        }
        defer { quietPeriods = 0 }
        guard quietPeriods >= Self.quietPeriodCount else { return nil }
        return "this machine is too slow for the preset: \(late) of \(all) pictures were left out; choose a smaller "
            + "preset, or a faster --encoder-speed"
    }
}
