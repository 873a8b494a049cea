import MediaCore
import NIOCore
import RTPTransport

/// Which wall-clock time a media time stands for: one for all tracks of a session, so that sender reports put sound
/// and pictures together exactly as the source did.
struct MediaClockAnchor {
    private var mediaTime: MediaTime
    private var deadline: NIODeadline
    /// Milliseconds since 1970.
    private var wallClockTime: Int64

    /// Further off than that, a unit is not late: the source's clock has jumped. Jitter and bursts stay below.
    static let maximumDeviation = TimeAmount.seconds(2)

    init(mediaTime: MediaTime, deadline: NIODeadline, wallClockTime: Int64) {
        self.mediaTime = MediaTime(
            value: mediaTime.converted(to: .microseconds).value, timescale: .microseconds)
        self.deadline = deadline
        self.wallClockTime = wallClockTime
    }

    /// The media time that is due.
    func mediaTime(at now: NIODeadline) -> MediaTime {
        mediaTime + MediaTime(value: (now - deadline).nanoseconds / 1_000, timescale: .microseconds)
    }

    /// How long after `now` a media time is due; negative where it has been.
    func delay(until time: MediaTime, from now: NIODeadline) -> TimeAmount {
        let difference = (time - mediaTime(at: now)).converted(to: .microseconds).value
        let limit = Self.longestDelay
        return .microseconds(max(-limit, min(limit, difference)))
    }

    /// A hundred years: no deadline overflows.
    private static let longestDelay: Int64 = 100 * 366 * 86_400 * 1_000_000

    func wallClockTime(at now: NIODeadline) -> NTPTimestamp {
        NTPTimestamp(nanosecondsSince1970: wallClockTime * 1_000_000 + (now - deadline).nanoseconds)
    }

    func isFar(from time: MediaTime, at now: NIODeadline) -> Bool {
        let deviation = (time - mediaTime(at: now)).converted(to: .microseconds).value
        return deviation.magnitude > UInt64(Self.maximumDeviation.nanoseconds / 1_000)
    }
}
