import MediaCore

/// Bounds for the durations of one track's parts (draft-pantos-hls-rfc8216bis §4.4.4.9): no part is longer than the
/// target duration, and no part except the last of its segment is shorter than 85 % of it. Apple's player stops for
/// good if a part breaks these bounds.
struct PartBounds: Sendable {
    /// The part target duration (PART-TARGET), in ticks.
    let target: Int64
    /// The shortest duration of a part that is not the last of its segment, in ticks.
    let minimum: Int64
    /// True if the last sample of a part may be prolonged until the part is long enough. Video frames may be shown a
    /// little longer: at 5 frames per second, two are too short for a part and three too long. Audio samples may not.
    let allowsStretching: Bool

    static let minimumShare = 0.85

    init(partDuration: Double, timescale: Timescale, allowsStretching: Bool) {
        target = MediaTime(seconds: partDuration, timescale: timescale).value
        minimum = Int64((Double(target) * Self.minimumShare).rounded(.up))
        self.allowsStretching = allowsStretching
    }

    /// Returns whether samples of the given duration in ticks can form parts within the bounds. If they cannot (one
    /// frame every two seconds, or audio frames of 128 ms), the segment is published only as a whole.
    func canHold(samplesOf duration: UInt32) -> Bool {
        let duration = Int64(duration)
        guard duration > 0, duration <= target else { return false }
        return allowsStretching || target / duration * duration >= minimum
    }
}
