import MediaCore

/// Decoding times of a track from times in milliseconds: exact for audio, whose frames have a known length, and always
/// later than the one before.
struct RTMPSampleClock {
    let timescale: Timescale
    /// Ticks of a frame of audio; `nil` for video, and if frames differ.
    var frameTicks: Int64?
    private var next: Int64?

    /// Deviation from the sum of the frames' lengths up to which that holds, in milliseconds: timestamps are rounded,
    /// and encoders write them with some jitter.
    private static let tolerance: Int64 = 60

    init(timescale: Timescale, frameTicks: Int64?) { (self.timescale, self.frameTicks) = (timescale, frameTicks) }

    /// - Parameters:
    ///   - milliseconds: the time of the tag.
    ///   - nanoseconds: what comes on top.
    mutating func time(ofMilliseconds milliseconds: Int64, nanoseconds: UInt32 = 0) -> Int64 {
        let ticks = Int64(timescale.ticksPerSecond)
        let told = milliseconds * ticks / 1_000 + Int64(nanoseconds) * ticks / 1_000_000_000
        var time = told
        if let next {
            if let frameTicks {
                if abs(told - next) <= Self.tolerance * ticks / 1_000 { time = next }
                time = max(time, next - frameTicks + 1)
            } else {
                time = max(time, next)
            }
        }
        next = time + (frameTicks ?? 1)
        return time
    }
}
