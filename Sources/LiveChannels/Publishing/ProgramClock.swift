import MediaCore
import Packaging

/// Dates an epoch's segments (EXT-X-PROGRAM-DATE-TIME). The packager dates media by its arrival; the publisher's own
/// clock is known from its sender reports (RFC 3550 §6.4.1), and several cameras of one event agree only on that.
///
/// The publisher's clock is followed if it is plausible: at once if a report arrives before the first part is finished,
/// otherwise gradually, because players expect dates to grow as durations do.
struct ProgramClock: Sendable {
    /// The time by which the publisher's clock may differ from ours. Encoders that know the time are within a second; a
    /// clock that is further off was never set, and players would take its dates for latency.
    static let maximumOffset = Duration.seconds(10)
    /// Duration of the media between a report and the newest frame. Reports come every few seconds and refer to the
    /// present; a report that refers to another time says nothing about these frames.
    static let maximumReportDistance = Duration.seconds(30)
    /// Divisor that limits how fast dates move towards the publisher's clock: by one part in this many of a segment's
    /// duration, which is 10 ms in 2 s, less than a frame.
    static let slewDivisor: Int64 = 200
    /// Limit on the corrections that are kept. Followers are at most a few segments later than the leading rendition.
    private static let maximumCorrectionCount = 8

    /// A timestamp of the publisher's media clock, and the date that the packager gives it.
    private var anchor: Timestamp?
    /// Decode time of the leading track's newest unit.
    private var latest: MediaTime?
    /// A sender report that arrived before the anchor was known.
    private var earlyReport: Timestamp?
    /// Milliseconds that are added to the packager's dates, with the media sequence number from which each applies,
    /// oldest first.
    private var corrections: [(mediaSequence: Int, milliseconds: Int64)] = []
    /// The correction that the newest report asks for, in milliseconds.
    private var target: Int64 = 0
    /// The date of each rendition's newest segment. A date that a playlist has shown does not change.
    private var latestDates: [MediaType: (mediaSequence: Int, date: WallClockTime)] = [:]
    /// The packager's date for the leading rendition's newest segment.
    private var latestPackagerDate: WallClockTime?
    /// The end of the epoch before; `nil` if there was none.
    private var earliestDate: WallClockTime?

    private struct Timestamp: Sendable {
        var mediaTime: MediaTime
        var date: WallClockTime

        func date(at other: MediaTime) -> WallClockTime { date + (other - mediaTime) }
    }

    /// Begins an epoch. Reports that arrived before stay valid.
    ///
    /// - Parameter earliestDate: the earliest date that a segment may have: the end of the window so far.
    mutating func begin(earliestDate: WallClockTime?) { self.earliestDate = earliestDate }

    /// Follows a unit of the leading track that the packager has accepted. Call it for every unit: the packager dates
    /// media by the arrival of the first unit at which decoding can start.
    ///
    /// - Parameter hasJumped: whether the publisher's clock jumped. Playback then continues where it was.
    mutating func follow(_ unit: AccessUnit, timescale: Timescale, arrivedAt: WallClockTime, hasJumped: Bool) {
        let mediaTime = MediaTime(value: unit.decodeTime, timescale: timescale)
        if let anchor {
            // A frame's duration is lost here; the next report corrects it.
            if hasJumped { self.anchor = Timestamp(mediaTime: mediaTime, date: anchor.date(at: latest ?? mediaTime)) }
        } else {
            guard unit.isRandomAccessPoint else { return }
            anchor = Timestamp(mediaTime: mediaTime, date: arrivedAt)
            if let earlyReport { aim(at: earlyReport) }
            earlyReport = nil
        }
        latest = mediaTime
    }

    /// Processes a sender report.
    ///
    /// - Returns: the time by which the publisher's clock is ahead of ours, negative if it is behind.
    mutating func report(nanosecondsSince1970: Int64, mediaTime: MediaTime, now: WallClockTime) -> Duration {
        let wallClock = WallClockTime(millisecondsSince1970: nanosecondsSince1970 / 1_000_000)
        let offset = wallClock - now
        guard offset.magnitude <= Self.maximumOffset else {
            target = 0
            earlyReport = nil
            return offset
        }
        let timestamp = Timestamp(mediaTime: mediaTime, date: wallClock)
        if anchor == nil { earlyReport = timestamp } else { aim(at: timestamp) }
        return offset
    }

    private mutating func aim(at timestamp: Timestamp) {
        guard let anchor else { return }
        let distance = Duration(timestamp.mediaTime - (latest ?? anchor.mediaTime))
        guard distance.magnitude <= Self.maximumReportDistance else { return }
        target = timestamp.date.milliseconds(since: anchor.date(at: timestamp.mediaTime))
    }

    /// The segment's date; the same in every call. Segments must come in the packager's order: the leading rendition's
    /// before the others', except that the others' first part may be the epoch's first.
    mutating func date(_ segment: LiveSegmentHeader, of mediaType: MediaType, isLeading: Bool) -> WallClockTime {
        let latest = latestDates[mediaType]
        if let latest, latest.mediaSequence == segment.mediaSequence { return latest.date }
        if isLeading || corrections.isEmpty { addCorrection(for: segment) }
        let correction =
            corrections.last { $0.mediaSequence <= segment.mediaSequence } ?? corrections.first
        var date = segment.programDateTime.advanced(byMilliseconds: correction?.milliseconds ?? 0)
        if let latest { date = max(date, latest.date) }
        latestDates[mediaType] = (segment.mediaSequence, date)
        return date
    }

    private mutating func addCorrection(for segment: LiveSegmentHeader) {
        var correction = target
        if let last = corrections.last, let latestPackagerDate {
            let elapsed = segment.programDateTime.milliseconds(since: latestPackagerDate)
            let limit = max(0, elapsed / Self.slewDivisor)
            let change = target.subtractingSaturating(last.milliseconds)
            correction = last.milliseconds.addingSaturating(min(max(change, -limit), limit))
        } else if let earliestDate {
            correction = max(correction, earliestDate.milliseconds(since: segment.programDateTime))
        }
        latestPackagerDate = segment.programDateTime
        if corrections.count == Self.maximumCorrectionCount { corrections.removeFirst() }
        corrections.append((segment.mediaSequence, correction))
    }
}
