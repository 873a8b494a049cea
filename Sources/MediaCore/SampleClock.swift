/// Decoding times of a track whose sender rounds them: exact for audio, whose frames have a known length, and always
/// later than the one before.
package struct SampleClock: Sendable {
    /// Ticks of the next frame of audio; `nil` for video.
    package var frameTicks: Int64?
    private let tolerance: Int64
    private var next: Int64?

    /// Deviation from the sum of the frames' lengths up to which that holds, in milliseconds: timestamps are rounded,
    /// and encoders write them with some jitter.
    private static let tolerance: Int64 = 60
    /// Times that can be, in ticks: 2,000 years at a million ticks in a second.
    private static let maximumTime: Int64 = 1 << 56

    /// - Parameters:
    ///   - timescale: the timescale of the track.
    ///   - frameTicks: the length of a frame of audio, in ticks; `nil` for video.
    package init(timescale: Timescale, frameTicks: Int64?) {
        tolerance = Self.tolerance * Int64(timescale.ticksPerSecond) / 1_000
        self.frameTicks = frameTicks
    }

    /// The time of a frame.
    ///
    /// - Parameter told: the time according to the sender, in ticks.
    package mutating func time(told: Int64) -> Int64 {
        // Nothing that follows may leave the numbers there are.
        let told = min(max(told, -Self.maximumTime), Self.maximumTime)
        var time = told
        if let next {
            if let frameTicks {
                if abs(told - next) <= tolerance { time = next }
                time = max(time, next - frameTicks + 1)
            } else {
                time = max(time, next)
            }
        }
        next = time + (frameTicks ?? 1)
        return time
    }
}
