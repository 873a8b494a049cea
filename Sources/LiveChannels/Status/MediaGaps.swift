import MediaCore

/// The gaps in a channel's media, of which observers are told now and then.
struct MediaGaps: Sendable {
    /// Gaps of one cause that observers are told of together.
    struct Report: Sendable, Hashable {
        var cause: MediaGapCause
        var count: Int
        /// The length of all of them together.
        var duration: Duration
    }

    /// The shortest time between two reports with one cause.
    static let minimumReportInterval = Duration.seconds(10)
    /// Shorter gaps are jitter, or frames that the encoder has left out.
    static let minimumGap = Duration.seconds(1)
    /// A longer step of a publisher's times may be a clock that was set, so the time of arrival counts
    /// (`TrackSegmenter.maximumSampleDuration`).
    static let maximumMeasuredStep = Duration.seconds(10)

    private var waiting: [MediaGapCause: Report] = [:]
    private var reportedAt: [MediaGapCause: WallClockTime] = [:]

    /// Notes a gap; shorter ones than ``minimumGap`` do not count.
    mutating func note(_ duration: Duration, _ cause: MediaGapCause) {
        guard duration >= Self.minimumGap else { return }
        var report = waiting[cause] ?? Report(cause: cause, count: 0, duration: .zero)
        report.count += 1
        report.duration += duration
        waiting[cause] = report
    }

    /// Takes what observers must be told now.
    mutating func takeDue(now: WallClockTime) -> [Report] {
        guard !waiting.isEmpty else { return [] }
        let due = MediaGapCause.allCases.compactMap { waiting[$0] }.filter { report in
            guard let last = reportedAt[report.cause], now >= last else { return true }
            return now - last >= Self.minimumReportInterval
        }
        for report in due {
            waiting[report.cause] = nil
            reportedAt[report.cause] = now
        }
        return due
    }
}
