import MediaCore

/// How long the parts of one track may be (draft-pantos-hls-rfc8216bis §4.4.4.9): none is longer than the target, and
/// none but the last of its segment shorter than 85 % of it. Apple's player stops for good where that is broken.
struct PartBounds: Sendable {
    /// Ticks: PART-TARGET.
    let target: Int64
    /// Ticks.
    let minimum: Int64
    /// A picture may be shown a little longer, so that the part that it ends is long enough: at 5 pictures a second two
    /// are too short and three too long. Sound cannot be stretched.
    let allowsStretching: Bool

    static let minimumShare = 0.85

    init(partDuration: Double, timescale: Timescale, allowsStretching: Bool) {
        target = MediaTime(seconds: partDuration, timescale: timescale).value
        minimum = Int64((Double(target) * Self.minimumShare).rounded(.up))
        self.allowsStretching = allowsStretching
    }

    /// Whether samples of that duration can make parts that keep to the bounds. Where they cannot, a picture every two
    /// seconds or sound in frames of 128 ms, the segment is published only as a whole.
    func canHold(samplesOf duration: UInt32) -> Bool {
        let duration = Int64(duration)
        guard duration > 0, duration <= target else { return false }
        return allowsStretching || target / duration * duration >= minimum
    }
}
