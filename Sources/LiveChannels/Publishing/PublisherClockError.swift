import MediaCore

/// The error of a publisher's clock, told by the time on it when its reports were sent, and by their arrival.
///
/// A report that was on its way for longer makes the clock look as if it were behind. So the report counts that makes
/// the clock look most ahead, and half of the connection's round trip is allowed for.
struct PublisherClockError: Sendable {
    /// A clock that is nearer to ours counts as right: cameras whose clocks are set by the network agree with each
    /// other more exactly than the arrival of reports can tell.
    static let tolerance = Duration.milliseconds(50)
    /// Limit on what is allowed for the way of a report: a satellite takes 0.3 s.
    static let maximumTransit = Duration.seconds(1)
    /// Limit on the reports that count, so that a clock that was set is noticed.
    private static let maximumReportCount = 8

    private var reports: [Duration] = []
    private var transit = Duration.zero

    /// Takes a report.
    ///
    /// - Parameters:
    ///   - ahead: the time on the publisher's clock less the time of arrival.
    ///   - roundTrip: the round trip of the connection; `nil` if that is not known.
    mutating func note(ahead: Duration, roundTrip: Duration?) {
        transit = min(max(.zero, (roundTrip ?? .zero) / 2), Self.maximumTransit)
        if reports.count == Self.maximumReportCount { reports.removeFirst() }
        reports.append(ahead + transit)
    }

    /// The time by which the clock is ahead of ours, negative if it is behind; zero if that is less than can be told.
    var value: Duration {
        let least = reports.max() ?? .zero
        return least.magnitude <= max(Self.tolerance, transit) ? .zero : least
    }
}
