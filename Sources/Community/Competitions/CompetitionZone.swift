import Foundation
package import MediaCore

/// The time zone in which a competition takes place.
package struct CompetitionZone: Sendable, Hashable {
    /// The name in the IANA database, such as `Europe/Madrid`.
    package let identifier: String
    private let zone: TimeZone

    private static let names = Set(TimeZone.knownTimeZoneIdentifiers).union(["UTC"])
    /// All names, sorted.
    package static let identifiers = names.sorted()
    /// Limit of the part of a wrong name that an error repeats.
    private static let shownCharacterCount = 80
    private static let secondsPerDay: Int64 = 86_400
    /// Longer than any difference between a clock and UTC: local mean times reached 15 hours and a quarter.
    private static let longestDifference: Int64 = 26 * 3_600

    /// - Throws: `Refusal` with `invalidField` for a name that the system's rules do not have.
    package init(_ identifier: String) throws(Refusal) {
        guard Self.names.contains(identifier), let zone = TimeZone(identifier: identifier) else {
            let shown = UntrustedText.escaped(identifier, maximumCharacterCount: Self.shownCharacterCount)
            let hint = NearestName.suggestion(for: shown, among: Self.identifiers).map { "; did you mean \($0)?" }
            throw Refusal(
                .invalidField,
                "the time zone \"\(shown)\" is unknown\(hint ?? "; use a name such as Europe/Madrid or America/Santiago")",
                field: "timeZone")
        }
        (self.identifier, self.zone) = (identifier, zone)
    }

    /// The zone of a stored name. One that the system has lost counts as UTC.
    init(stored identifier: String) {
        self.identifier = identifier
        zone = Self.names.contains(identifier) ? TimeZone(identifier: identifier) ?? .gmt : .gmt
    }

    /// The first time at which clocks show a date, also where midnight does not exist. A date that a zone has left out
    /// begins with the next one, and so has no length.
    func start(of date: CivilDate) -> WallClockTime {
        let midnight = date.daysSince1970 * Self.secondsPerDay
        var (before, from) = (midnight - Self.longestDifference, midnight + Self.longestDifference)
        while before + 1 < from {
            let middle = before + (from - before) / 2
            if clock(at: middle) >= midnight { from = middle } else { before = middle }
        }
        return WallClockTime(secondsSince1970: from)
    }

    /// The local time, as seconds since 1970 began on the zone's clocks.
    private func clock(at secondsSince1970: Int64) -> Int64 {
        let date = Date(timeIntervalSince1970: Double(secondsSince1970))
        return secondsSince1970 + Int64(zone.secondsFromGMT(for: date))
    }
}
