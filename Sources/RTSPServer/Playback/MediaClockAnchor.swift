import MediaCore
import NIOCore
import RTPTransport

/// The relation between media time and wall-clock time. All tracks of a session share it, so that sender reports
/// synchronize audio and video exactly as the source did.
struct MediaClockAnchor {
    private var mediaTime: MediaTime
    private var deadline: NIODeadline
    /// Wall-clock time of ``deadline``.
    private var wallClockTime: WallClockTime

    /// Deviation from which a unit is not late, but the source's clock has jumped. Jitter and bursts are smaller.
    static let maximumDeviation = Duration.seconds(2)

    /// ``maximumDeviation`` in microseconds, for the comparison with each unit.
    private static let maximumDeviationMicroseconds = UInt64(maximumDeviation.wholeMilliseconds * 1_000)

    init(mediaTime: MediaTime, deadline: NIODeadline, wallClockTime: WallClockTime) {
        self.mediaTime = MediaTime(
            value: mediaTime.converted(to: .microseconds).value, timescale: .microseconds)
        self.deadline = deadline
        self.wallClockTime = wallClockTime
    }

    /// The media time that is due at `now`.
    func mediaTime(at now: NIODeadline) -> MediaTime {
        mediaTime + MediaTime(value: (now - deadline).nanoseconds / 1_000, timescale: .microseconds)
    }

    /// Time from `now` until a media time is due; negative if it is overdue.
    func delay(until time: MediaTime, from now: NIODeadline) -> TimeAmount {
        let difference = (time - mediaTime(at: now)).converted(to: .microseconds).value
        let limit = Self.longestDelay
        return .microseconds(max(-limit, min(limit, difference)))
    }

    /// Bound in microseconds, about a hundred years, so that no deadline overflows.
    private static let longestDelay: Int64 = 100 * 366 * 86_400 * 1_000_000

    func wallClockTime(at now: NIODeadline) -> NTPTimestamp {
        NTPTimestamp(
            nanosecondsSince1970: wallClockTime.millisecondsSince1970 * 1_000_000 + (now - deadline).nanoseconds)
    }

    func isFar(from time: MediaTime, at now: NIODeadline) -> Bool {
        let deviation = (time - mediaTime(at: now)).converted(to: .microseconds).value
        return deviation.magnitude > Self.maximumDeviationMicroseconds
    }
}
