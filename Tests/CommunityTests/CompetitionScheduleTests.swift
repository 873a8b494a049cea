import MediaCore
import Testing

@testable import Community

/// Days and states, without a database.
struct CompetitionScheduleTests {
    static func time(_ text: String) throws -> WallClockTime { try #require(HTTPDate.time(ofTimestamp: text)) }

    static func schedule(_ zone: String, _ first: String, _ count: Int = 1) throws -> CompetitionSchedule {
        try CompetitionSchedule(timeZone: zone, firstDay: try #require(CivilDate(parsing: first)), dayCount: count)
    }

    /// A date with the times of its beginning and end, and its hours.
    struct Day: Sendable, CustomTestStringConvertible {
        var zone, date, start, end: String
        var hours: Int64
        var testDescription: String { "\(zone) \(date)" }
    }

    @Test(arguments: [
        Day(zone: "UTC", date: "2026-07-17", start: "2026-07-17T00:00:00Z", end: "2026-07-18T00:00:00Z", hours: 24),
        Day(
            zone: "Europe/Madrid", date: "2026-07-17", start: "2026-07-16T22:00:00Z", end: "2026-07-17T22:00:00Z",
            hours: 24),
        // Clocks go forward, and back.
        Day(
            zone: "Europe/Madrid", date: "2026-03-29", start: "2026-03-28T23:00:00Z", end: "2026-03-29T22:00:00Z",
            hours: 23),
        Day(
            zone: "Europe/Madrid", date: "2026-10-25", start: "2026-10-24T22:00:00Z", end: "2026-10-25T23:00:00Z",
            hours: 25),
        // Midnight does not exist: clocks go from 23:59 to 1:00.
        Day(
            zone: "America/Santiago", date: "2026-09-06", start: "2026-09-06T04:00:00Z", end: "2026-09-07T03:00:00Z",
            hours: 23),
        Day(
            zone: "Asia/Beirut", date: "2026-03-29", start: "2026-03-28T22:00:00Z", end: "2026-03-29T21:00:00Z",
            hours: 23),
        // Clocks go back at midnight, so that the hour before it comes twice.
        Day(
            zone: "America/Santiago", date: "2026-04-04", start: "2026-04-04T03:00:00Z", end: "2026-04-05T04:00:00Z",
            hours: 25),
        Day(
            zone: "Asia/Beirut", date: "2026-10-24", start: "2026-10-23T21:00:00Z", end: "2026-10-24T22:00:00Z",
            hours: 25),
        // Samoa left this date out.
        Day(
            zone: "Pacific/Apia", date: "2011-12-30", start: "2011-12-30T10:00:00Z", end: "2011-12-30T10:00:00Z",
            hours: 0),
        Day(
            zone: "Pacific/Kiritimati", date: "2026-01-01", start: "2025-12-31T10:00:00Z", end: "2026-01-01T10:00:00Z",
            hours: 24),
        Day(
            zone: "Asia/Kathmandu", date: "2026-01-01", start: "2025-12-31T18:15:00Z", end: "2026-01-01T18:15:00Z",
            hours: 24),
    ])
    func aDayIsADateOfTheTimeZone(_ expected: Day) throws {
        let day = try #require(try Self.schedule(expected.zone, expected.date).days.first)
        #expect(day.startsAt == (try Self.time(expected.start)))
        #expect(day.endsAt == (try Self.time(expected.end)))
        #expect(day.endsAt - day.startsAt == .seconds(expected.hours * 3_600))
        #expect(day.date.description == expected.date && day.number == 1)
    }

    @Test func daysFollowOneAnotherWithoutGaps() throws {
        for zone in ["Europe/Madrid", "America/Santiago", "Asia/Beirut", "Australia/Lord_Howe", "Africa/Casablanca"] {
            for first in ["2026-02-20", "2026-08-20", "2026-10-01"] {
                let schedule = try Self.schedule(zone, first, 60)
                let days = schedule.days
                #expect(days.map(\.number) == Array(1...60))
                #expect(zip(days, days.dropFirst()).allSatisfy { $0.endsAt == $1.startsAt }, "\(zone) \(first)")
                #expect(days.first?.startsAt == schedule.startsAt && days.last?.endsAt == schedule.endsAt)
                #expect(days.last?.date == schedule.lastDay)
                #expect(schedule.endsAt - schedule.startsAt < CompetitionSchedule.maximumDuration)
            }
        }
    }

    @Test(arguments: [
        ("2026-07-09T21:59:59Z", "closed", "closed closed closed"),
        ("2026-07-09T22:00:00Z", "open", "open open open"),
        ("2026-07-16T21:59:59Z", "open", "open open open"),
        ("2026-07-16T22:00:00Z", "running", "running open open"),
        ("2026-07-17T22:00:00Z", "running", "finished running open"),
        ("2026-07-19T21:59:59Z", "running", "finished finished running"),
        ("2026-07-19T22:00:00Z", "finished", "finished finished finished"),
    ])
    func statesFollowFromTheDates(_ time: String, _ state: String, _ days: String) throws {
        let schedule = try Self.schedule("Europe/Madrid", "2026-07-17", 3)
        let time = try Self.time(time)
        #expect(schedule.state(at: time).rawValue == state)
        #expect(schedule.days.map { $0.state(at: time).rawValue }.joined(separator: " ") == days)
    }

    /// A week is seven dates, not 168 hours.
    @Test func aCompetitionOpensWithADateAlsoWhenClocksChange() throws {
        let schedule = try Self.schedule("Europe/Madrid", "2026-04-01")
        #expect(schedule.openingDay.description == "2026-03-25")
        #expect(schedule.opensAt == (try Self.time("2026-03-24T23:00:00Z")))
        #expect(schedule.startsAt - schedule.opensAt == .seconds(167 * 3_600))
    }

    @Test(arguments: ["Europe/Madrit", "", "../../etc/passwd", "GMT+5", "Europe", "europe/madrid"])
    func anUnknownTimeZoneIsRefused(_ zone: String) throws {
        let error = try #require(throws: Refusal.self) { try Self.schedule(zone, "2026-07-17") }
        #expect(error.code == .invalidField && error.field == "timeZone" && error.reason.contains("\"\(zone)\""))
    }

    @Test func anErrorSuggestsTheTimeZoneThatWasMeant() throws {
        let error = try #require(throws: Refusal.self) { try Self.schedule("Europe/Madrit", "2026-07-17") }
        #expect(error.reason.hasSuffix("did you mean Europe/Madrid?"))
    }

    @Test(arguments: [
        ("2026-07-17", 0, "dayCount"), ("2026-07-17", 61, "dayCount"), ("2026-07-17", -1, "dayCount"),
        ("1899-12-31", 1, "firstDay"), ("3000-01-01", 1, "firstDay"), ("9999-12-31", 60, "firstDay"),
    ])
    func schedulesHaveLimits(_ first: String, _ count: Int, _ field: String) throws {
        let error = try #require(throws: Refusal.self) { try Self.schedule("UTC", first, count) }
        #expect(error.code == .invalidField && error.field == field)
    }

    /// A name that the system has lost does not keep the row from being read.
    @Test func aLostTimeZoneCountsAsUTC() throws {
        let zone = CompetitionZone(stored: "Atlantis/Poseidonis")
        let date = try #require(CivilDate(parsing: "2026-07-17"))
        #expect(zone.identifier == "Atlantis/Poseidonis")
        #expect(zone.start(of: date) == (try Self.time("2026-07-17T00:00:00Z")))
    }
}
