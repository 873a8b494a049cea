import MediaCore
import Packaging

/// Dates an epoch's segments (EXT-X-PROGRAM-DATE-TIME) by the capture of their frames, on the server's clock. The
/// packager dates media by its arrival; the time of capture is known from a publisher's sender reports (RFC 3550
/// §6.4.1), less the error of its clock (``PublisherClockError``), or from a browser that has measured the server's
/// time. Where a publisher says nothing, it is the arrival less the delay that the channel is configured with.
///
/// Reports are followed at once if one arrives before the first part is finished, and forward at each discontinuity. In
/// between, dates grow as durations do (EXTINF), because players place media by both: Shaka Player drops frames where
/// they differ by a millisecond or more. Only a clock that moves away from the dates by more than ``tolerance`` is
/// followed, a millisecond at a time.
struct ProgramClock: Sendable {
    /// The longest plausible time from the capture of a frame to its arrival. Players would take more for latency.
    static let maximumDelay = Duration.seconds(10)
    /// Duration of the media between a report and the newest frame. Reports come every few seconds and refer to the
    /// present; a report that refers to another time says nothing about these frames.
    static let maximumReportDistance = Duration.seconds(30)
    /// Milliseconds by which dates may differ from the publisher's clock within an epoch. Encoders' first reports are
    /// off by less, and nobody notices a tenth of a second.
    static let tolerance: Int64 = 100
    /// Milliseconds of dates between two corrections by a millisecond. A crystal is off by 50 parts in a million; this
    /// allows for 400.
    static let correctionInterval: Int64 = 2_500
    /// Limit on the corrections that are kept. Followers are at most a few segments later than the leading rendition.
    private static let maximumCorrectionCount = 8

    /// A timestamp of the publisher's media clock, and the date that the packager gives it.
    private var anchor: Timestamp?
    /// Decode time of the leading track's newest unit.
    private var latest: MediaTime?
    /// A sender report that arrived before the anchor was known.
    private var earlyReport: Timestamp?
    /// The newest sender report.
    private var newestReport: Timestamp?
    private var error = PublisherClockError()
    /// The time from the capture to the arrival of media of which no report says more.
    let captureDelay: Duration
    /// Milliseconds that are added to the packager's dates, with the media sequence number from which each applies,
    /// oldest first.
    private var corrections: [(mediaSequence: Int, milliseconds: Int64)] = []
    /// The correction that the newest report asks for, in milliseconds.
    private var target: Int64
    /// The date of each rendition's newest segment. A date that a playlist has shown does not change.
    private var latestDates: [RenditionID: (mediaSequence: Int, date: WallClockTime)] = [:]
    /// The packager's date for the segment before which dates were last corrected, or for the first segment.
    private var correctedAt: WallClockTime?
    /// The end of the epoch before; `nil` if there was none.
    private var earliestDate: WallClockTime?

    private struct Timestamp: Sendable {
        var mediaTime: MediaTime
        var date: WallClockTime

        func date(at other: MediaTime) -> WallClockTime { date + (other - mediaTime) }
    }

    /// - Parameter captureDelay: the time from the capture to the arrival of media of which no report says more.
    init(captureDelay: Duration = .zero) {
        self.captureDelay = captureDelay
        target = -captureDelay.wholeMilliseconds
    }

    /// Begins an epoch. Reports that arrived before stay valid.
    ///
    /// - Parameter earliestDate: the earliest date that a segment may have: the end of the window so far.
    mutating func begin(earliestDate: WallClockTime?) { self.earliestDate = earliestDate }

    /// Restarts the clock for another packager of the same push. Reports stay valid, and dates do not go back.
    mutating func restart() {
        anchor = nil
        latest = nil
        earlyReport = newestReport
        corrections = []
        target = -captureDelay.wholeMilliseconds
        correctedAt = nil
    }

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
    /// - Parameters:
    ///   - nanosecondsSince1970: the publisher's clock.
    ///   - mediaTime: the media time at that moment.
    ///   - now: the time of arrival.
    ///   - roundTrip: the round trip of the connection; `nil` if that is not known.
    /// - Returns: the time by which the publisher's clock is ahead of ours, negative if it is behind.
    mutating func report(
        nanosecondsSince1970: Int64, mediaTime: MediaTime, now: WallClockTime, roundTrip: Duration? = nil
    ) -> Duration {
        let date = WallClockTime(millisecondsSince1970: nanosecondsSince1970 / 1_000_000)
        let offset = date - now
        error.note(ahead: offset, roundTrip: roundTrip)
        follow(Timestamp(mediaTime: mediaTime, date: date - error.value))
        return offset
    }

    /// Processes the time of a capture on the server's clock.
    mutating func captured(_ mediaTime: MediaTime, at date: WallClockTime) {
        follow(Timestamp(mediaTime: mediaTime, date: date))
    }

    private mutating func follow(_ timestamp: Timestamp) {
        newestReport = timestamp
        if anchor == nil { earlyReport = timestamp } else { aim(at: timestamp) }
    }

    private mutating func aim(at timestamp: Timestamp) {
        guard let anchor else { return }
        let distance = Duration(timestamp.mediaTime - (latest ?? anchor.mediaTime))
        guard distance.magnitude <= Self.maximumReportDistance else { return }
        let correction = timestamp.date.milliseconds(since: anchor.date(at: timestamp.mediaTime))
        let isPlausible = correction.magnitude <= Self.maximumDelay.wholeMilliseconds.magnitude
        target = isPlausible ? correction : -captureDelay.wholeMilliseconds
    }

    /// The segment's date; the same in every call. Segments must come in the packager's order: the leading rendition's
    /// before the others', except that the others' first part may be the epoch's first.
    mutating func date(_ segment: LiveSegmentHeader, of id: RenditionID, isLeading: Bool) -> WallClockTime {
        let latest = latestDates[id]
        if let latest, latest.mediaSequence == segment.mediaSequence { return latest.date }
        if isLeading || corrections.isEmpty { addCorrection(for: segment) }
        let correction =
            corrections.last { $0.mediaSequence <= segment.mediaSequence } ?? corrections.first
        var date = segment.programDateTime.advanced(byMilliseconds: correction?.milliseconds ?? 0)
        if let latest { date = max(date, latest.date) }
        latestDates[id] = (segment.mediaSequence, date)
        return date
    }

    private mutating func addCorrection(for segment: LiveSegmentHeader) {
        var correction = target
        if let last = corrections.last, let correctedAt {
            let change = target.subtractingSaturating(last.milliseconds)
            // Dates do not go back, not even there.
            if !segment.isDiscontinuous || change < 0 {
                correction = last.milliseconds
                if change.magnitude > Self.tolerance.magnitude,
                    segment.programDateTime.milliseconds(since: correctedAt) >= Self.correctionInterval
                {
                    correction = last.milliseconds.addingSaturating(change.signum())
                }
            }
            if correction != last.milliseconds { self.correctedAt = segment.programDateTime }
        } else {
            if let earliestDate {
                correction = max(correction, earliestDate.milliseconds(since: segment.programDateTime))
            }
            correctedAt = segment.programDateTime
        }
        if corrections.count == Self.maximumCorrectionCount { corrections.removeFirst() }
        corrections.append((segment.mediaSequence, correction))
    }
}
