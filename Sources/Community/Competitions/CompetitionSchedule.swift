package import MediaCore

/// When a competition takes place: some dates in a row in its time zone.
package struct CompetitionSchedule: Sendable, Hashable {
    package let zone: CompetitionZone
    package let firstDay: CivilDate
    package let dayCount: Int

    /// Limits of the number of days; the longest tours have three weeks.
    package static let dayCounts = 1...60
    /// The years in which a competition can begin.
    package static let years: ClosedRange<Int64> = 1_900...2_999
    /// A competition can be entered from this number of days before its first one.
    package static let openDayCount = 7
    /// Longer than any schedule, whatever clocks do.
    static let maximumDuration = Duration.seconds((dayCounts.upperBound + 2) * 86_400)

    /// - Parameters:
    ///   - timeZone: a name of the IANA database.
    ///   - firstDay: the date of the first day there.
    ///   - dayCount: the number of days.
    /// - Throws: `Refusal` with `invalidField`.
    package init(timeZone: String, firstDay: CivilDate, dayCount: Int) throws(Refusal) {
        guard Self.years.contains(firstDay.year) else {
            throw Refusal(
                .invalidField,
                "a competition begins in a year from \(Self.years.lowerBound) to \(Self.years.upperBound), not \(firstDay.year)",
                field: "firstDay")
        }
        guard Self.dayCounts.contains(dayCount) else {
            throw Refusal(
                .invalidField,
                "a competition has from \(Self.dayCounts.lowerBound) to \(Self.dayCounts.upperBound) days, not \(dayCount)",
                field: "dayCount")
        }
        self.init(zone: try CompetitionZone(timeZone), firstDay: firstDay, dayCount: dayCount)
    }

    /// A schedule that was checked before.
    init(zone: CompetitionZone, firstDay: CivilDate, dayCount: Int) {
        (self.zone, self.firstDay, self.dayCount) = (zone, firstDay, dayCount)
    }

    /// The last date.
    package var lastDay: CivilDate { date(dayCount - 1) }

    /// The date a week before the first day.
    package var openingDay: CivilDate { date(-Self.openDayCount) }

    /// The beginning of ``openingDay``.
    package var opensAt: WallClockTime { zone.start(of: openingDay) }
    package var startsAt: WallClockTime { zone.start(of: firstDay) }
    /// The beginning of the date after the last day.
    package var endsAt: WallClockTime { zone.start(of: date(dayCount)) }

    package func state(at time: WallClockTime) -> CompetitionState {
        CompetitionState(at: time, opening: opensAt, start: startsAt, end: endsAt)
    }

    /// All days, in their order.
    package var days: [CompetitionDay] {
        let opening = opensAt
        let starts = (0...dayCount).map { zone.start(of: date($0)) }
        return zip(starts, starts.dropFirst()).enumerated().map { index, times in
            CompetitionDay(
                number: index + 1, date: date(index), startsAt: times.0, endsAt: times.1, opensAt: opening)
        }
    }

    private func date(_ offset: Int) -> CivilDate {
        CivilDate(daysSince1970: firstDay.daysSince1970 + Int64(offset))
    }
}
