import LibAV
import MediaCore

extension AccessUnit {
    /// The largest plausible time in seconds: a hundred years. Later ones would overflow libav's sums.
    static let maximumTimeSeconds: UInt64 = 3_155_760_000

    /// Whether a decoder may see the unit's times.
    func hasPlausibleTimes(_ timescale: Timescale) -> Bool {
        [decodeTime, presentationTime].allSatisfy {
            $0.magnitude / UInt64(timescale.ticksPerSecond) <= Self.maximumTimeSeconds && Int64(timestamp: $0) != nil
        }
    }
}
