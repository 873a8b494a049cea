import NIOCore

/// Times of tags that go on, whatever the timestamps of a publisher do: they wrap after 49 days, start anywhere, and
/// jump when an encoder begins again. Audio and video stay in step.
struct RTMPTimeline {
    private struct TrackTime {
        var timestamp: UInt32
        /// Milliseconds without wraps.
        var unwrapped: Int64
        var arrivedAt: NIODeadline
        /// Milliseconds that are added.
        var shift: Int64 = 0
        var shiftedAt: NIODeadline?
    }

    /// Steps back of more than this are a new beginning, in milliseconds.
    private static let maximumStepBack: Int64 = 1_000
    /// Steps forward of so much more than has passed are one, too.
    private static let maximumStepForward: Int64 = 3_000
    /// A track that begins again within this time of the other one does so in the same way.
    private static let sameBeginning = TimeAmount.seconds(5)
    private static let sameShift: Int64 = 1_500

    private var video: TrackTime?
    private var audio: TrackTime?

    /// The time of a tag, in milliseconds.
    ///
    /// - Parameters:
    ///   - timestamp: as the publisher says.
    ///   - isVideo: whether it is a tag of video.
    ///   - now: the time of its arrival.
    mutating func time(of timestamp: UInt32, isVideo: Bool, now: NIODeadline) -> Int64 {
        let other = isVideo ? audio : video
        var track = isVideo ? video : audio
        if var known = track {
            let step = Int64(Int32(bitPattern: timestamp &- known.timestamp))
            let passed = (now - known.arrivedAt).nanoseconds / 1_000_000
            let expected = known.unwrapped + known.shift + passed
            known.unwrapped += step
            if step < -Self.maximumStepBack || step > passed + Self.maximumStepForward {
                known.shift = expected - known.unwrapped
                if let other, let shiftedAt = other.shiftedAt, now - shiftedAt < Self.sameBeginning,
                    abs(other.shift - known.shift) < Self.sameShift
                {
                    known.shift = other.shift
                }
                known.shiftedAt = now
            }
            (known.timestamp, known.arrivedAt) = (timestamp, now)
            track = known
        } else if let other {
            let step = Int64(Int32(bitPattern: timestamp &- other.timestamp))
            track = TrackTime(
                timestamp: timestamp, unwrapped: other.unwrapped + step, arrivedAt: now, shift: other.shift)
        } else {
            // The first tag is the beginning, with room for one of the other track that is a little earlier.
            track = TrackTime(timestamp: timestamp, unwrapped: Self.beginning, arrivedAt: now)
        }
        if isVideo { video = track } else { audio = track }
        return track.map { $0.unwrapped + $0.shift } ?? 0
    }

    private static let beginning: Int64 = 10_000
}
