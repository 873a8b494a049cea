import MediaCore
import Packaging

/// The dates of an epoch's segments (EXT-X-PROGRAM-DATE-TIME). The packager dates media by its arrival; what the
/// publisher's own clock showed is in its sender reports (RFC 3550 §6.4.1), and that is what several cameras of one
/// event agree on.
///
/// The publisher's clock is followed where it is plausible: at once where a report comes before the first part is
/// finished, else little by little, because players expect dates to grow as durations do.
struct ProgramClock: Sendable {
    /// Milliseconds that the publisher's clock may be off ours. Encoders that know the time are within a second; one
    /// that is further off than this was never set, and players would take its dates for latency.
    static let maximumOffset: Int64 = 10_000
    /// Milliseconds of media between a report and the newest picture. Reports come every few seconds and speak of the
    /// moment; one that does not has nothing to say about these pictures.
    static let maximumReportDistance: Int64 = 30_000
    /// Dates move towards the publisher's clock by one part in so many of a segment's duration: 10 ms in 2 s, less
    /// than a frame.
    static let slewDivisor: Int64 = 200
    /// Followers are at most a few segments behind the leading rendition.
    private static let maximumCorrectionCount = 8

    /// A moment on the publisher's media clock, and what the packager dates it.
    private var anchor: Moment?
    /// Of the leading track's newest unit.
    private var latest: MediaTime?
    /// One that came before the anchor.
    private var earlyReport: Moment?
    /// Milliseconds that are added to the packager's dates, by media sequence number, oldest first.
    private var corrections: [(mediaSequence: Int, milliseconds: Int64)] = []
    private var target: Int64 = 0
    /// Of the newest segment of each rendition: a date that a playlist has shown stays.
    private var latestDates: [MediaType: (mediaSequence: Int, date: Int64)] = [:]
    /// What the packager dated the leading rendition's newest segment.
    private var latestPackagerDate: Int64?
    /// Where the epoch before ended.
    private var earliestDate: Int64?

    private struct Moment: Sendable {
        var mediaTime: MediaTime
        /// Milliseconds since 1970.
        var date: Int64

        func date(at other: MediaTime) -> Int64 {
            date.addingSaturating((other - mediaTime).converted(to: .milliseconds).value)
        }
    }

    /// The epoch is packaged from now on; what reports have said before stays.
    ///
    /// - Parameter earliestDate: milliseconds since 1970 that nothing may be dated before: the window's end so far.
    mutating func begin(earliestDate: Int64?) { self.earliestDate = earliestDate }

    /// Each unit of the leading track, when the packager has taken it: it dates media by the arrival of the first one
    /// at which decoding can start.
    ///
    /// - Parameter hasJumped: the publisher's clock did, and playback goes on where it was.
    mutating func follow(_ unit: AccessUnit, timescale: Timescale, arrivedAt: Int64, hasJumped: Bool) {
        let mediaTime = MediaTime(value: unit.decodeTime, timescale: timescale)
        if let anchor {
            // A frame's duration is lost here; the next report makes up for it.
            if hasJumped { self.anchor = Moment(mediaTime: mediaTime, date: anchor.date(at: latest ?? mediaTime)) }
        } else {
            guard unit.isRandomAccessPoint else { return }
            anchor = Moment(mediaTime: mediaTime, date: arrivedAt)
            if let earlyReport { aim(at: earlyReport) }
            earlyReport = nil
        }
        latest = mediaTime
    }

    /// A sender report.
    ///
    /// - Returns: milliseconds that the publisher's clock is ahead of ours.
    mutating func report(nanosecondsSince1970: Int64, mediaTime: MediaTime, now: Int64) -> Int64 {
        let wallClock = nanosecondsSince1970 / 1_000_000
        let offset = wallClock.subtractingSaturating(now)
        guard (-Self.maximumOffset...Self.maximumOffset).contains(offset) else {
            target = 0
            earlyReport = nil
            return offset
        }
        let moment = Moment(mediaTime: mediaTime, date: wallClock)
        if anchor == nil { earlyReport = moment } else { aim(at: moment) }
        return offset
    }

    private mutating func aim(at moment: Moment) {
        guard let anchor else { return }
        let distance = (moment.mediaTime - (latest ?? anchor.mediaTime)).converted(to: .milliseconds).value
        guard (-Self.maximumReportDistance...Self.maximumReportDistance).contains(distance) else { return }
        target = moment.date.subtractingSaturating(anchor.date(at: moment.mediaTime))
    }

    /// The segment's date; the same whenever it is asked for again. Segments come in the packager's order: the leading
    /// rendition's before the others', except that the others' first part may be the epoch's first.
    mutating func date(_ segment: LiveSegmentHeading, of mediaType: MediaType, isLeading: Bool) -> Int64 {
        let latest = latestDates[mediaType]
        if let latest, latest.mediaSequence == segment.mediaSequence { return latest.date }
        if isLeading || corrections.isEmpty { addCorrection(for: segment) }
        let correction =
            corrections.last { $0.mediaSequence <= segment.mediaSequence } ?? corrections.first
        var date = segment.programDateTime.addingSaturating(correction?.milliseconds ?? 0)
        if let latest { date = max(date, latest.date) }
        latestDates[mediaType] = (segment.mediaSequence, date)
        return date
    }

    private mutating func addCorrection(for segment: LiveSegmentHeading) {
        var correction = target
        if let last = corrections.last, let latestPackagerDate {
            let elapsed = segment.programDateTime.subtractingSaturating(latestPackagerDate)
            let limit = max(0, elapsed / Self.slewDivisor)
            let change = target.subtractingSaturating(last.milliseconds)
            correction = last.milliseconds.addingSaturating(min(max(change, -limit), limit))
        } else if let earliestDate {
            correction = max(correction, earliestDate.subtractingSaturating(segment.programDateTime))
        }
        latestPackagerDate = segment.programDateTime
        if corrections.count == Self.maximumCorrectionCount { corrections.removeFirst() }
        corrections.append((segment.mediaSequence, correction))
    }
}
