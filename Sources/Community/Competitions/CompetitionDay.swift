package import MediaCore

/// A day of a competition: a date in its time zone, which may have 23 or 25 hours.
package struct CompetitionDay: Sendable, Hashable {
    /// The position in the competition, from 1.
    package var number: Int
    package var date: CivilDate
    package var startsAt: WallClockTime
    /// The beginning of the next date.
    package var endsAt: WallClockTime
    /// The time from which the competition can be entered.
    package var opensAt: WallClockTime

    package func state(at time: WallClockTime) -> CompetitionState {
        CompetitionState(at: time, opening: opensAt, start: startsAt, end: endsAt)
    }
}
