/// A point in time: milliseconds since 1970 in UTC, without leap seconds.
///
/// Arithmetic saturates instead of trapping, because values come from files and peers. Coded as the bare number of
/// milliseconds.
package struct WallClockTime: Sendable {
    /// Milliseconds since 1970.
    package var millisecondsSince1970: Int64

    @inlinable package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// - Parameter secondsSince1970: whole seconds; what 64 bits of milliseconds cannot hold saturates.
    package init(secondsSince1970: Int64) {
        let (milliseconds, overflow) = secondsSince1970.multipliedReportingOverflow(by: 1_000)
        self.init(millisecondsSince1970: overflow ? (secondsSince1970 < 0 ? .min : .max) : milliseconds)
    }

    /// Whole seconds since 1970, rounded towards zero.
    package var secondsSince1970: Int64 { millisecondsSince1970 / 1_000 }

    /// 1970-01-01T00:00:00Z.
    @inlinable package static var unixEpoch: WallClockTime { WallClockTime(millisecondsSince1970: 0) }

    /// Later than every other time.
    @inlinable package static var distantFuture: WallClockTime { WallClockTime(millisecondsSince1970: .max) }

    /// The number of milliseconds since an earlier time; negative if that time is later. Comparing this number is
    /// cheaper than comparing a `Duration`, which has 128 bits: for what happens with each packet and request.
    @inlinable package func milliseconds(since earlier: WallClockTime) -> Int64 {
        millisecondsSince1970.subtractingSaturating(earlier.millisecondsSince1970)
    }

    /// The time that is this number of milliseconds later.
    @inlinable package func advanced(byMilliseconds milliseconds: Int64) -> WallClockTime {
        WallClockTime(millisecondsSince1970: millisecondsSince1970.addingSaturating(milliseconds))
    }

    /// The duration since an earlier time; negative if that time is later.
    @inlinable package static func - (lhs: WallClockTime, rhs: WallClockTime) -> Duration {
        .milliseconds(lhs.milliseconds(since: rhs))
    }

    /// The time after a duration, of which parts of a millisecond do not count.
    @inlinable package static func + (lhs: WallClockTime, rhs: Duration) -> WallClockTime {
        lhs.advanced(byMilliseconds: rhs.wholeMilliseconds)
    }

    /// The time before a duration, of which parts of a millisecond do not count.
    @inlinable package static func - (lhs: WallClockTime, rhs: Duration) -> WallClockTime {
        WallClockTime(
            millisecondsSince1970: lhs.millisecondsSince1970.subtractingSaturating(rhs.wholeMilliseconds))
    }

    /// The time after a duration of media, rounded to milliseconds.
    package static func + (lhs: WallClockTime, rhs: MediaTime) -> WallClockTime {
        lhs.advanced(byMilliseconds: rhs.converted(to: .milliseconds).value)
    }

    /// The time before a duration of media, rounded to milliseconds.
    package static func - (lhs: WallClockTime, rhs: MediaTime) -> WallClockTime {
        WallClockTime(
            millisecondsSince1970: lhs.millisecondsSince1970.subtractingSaturating(
                rhs.converted(to: .milliseconds).value))
    }
}

extension WallClockTime: Comparable, Hashable {
    @inlinable package static func == (lhs: WallClockTime, rhs: WallClockTime) -> Bool {
        lhs.millisecondsSince1970 == rhs.millisecondsSince1970
    }

    @inlinable package static func < (lhs: WallClockTime, rhs: WallClockTime) -> Bool {
        lhs.millisecondsSince1970 < rhs.millisecondsSince1970
    }

    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(millisecondsSince1970) }
}

extension WallClockTime: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(millisecondsSince1970: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(millisecondsSince1970)
    }
}
