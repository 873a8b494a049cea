import Accounts
import Community
import HTTPEndpoints
import JSONDocument
import MediaCore
import Workflows

extension APIResources {
    /// The JSON of a competition in a list.
    static func competition(_ competition: Competition, at now: WallClockTime) -> JSONText {
        .object(fields(competition, at: now))
    }

    /// The JSON of a competition with its days.
    static func competitionWithDays(_ competition: Competition, at now: WallClockTime) -> JSONText {
        let days = competition.schedule.days.map { day -> JSONText in
            .object([
                ("number", .integer(day.number)), ("date", .string(day.date.description)),
                ("startsAt", time(day.startsAt)), ("endsAt", time(day.endsAt)),
                ("state", .string(day.state(at: now).rawValue)),
            ])
        }
        return .object(fields(competition, at: now) + [("days", .array(days))])
    }

    private static func fields(_ competition: Competition, at now: WallClockTime) -> [JSONText.Field] {
        let schedule = competition.schedule
        return [
            ("id", .string(competition.id.text)), ("name", .string(competition.name)),
            ("description", .string(competition.description)), ("timeZone", .string(schedule.zone.identifier)),
            ("firstDay", .string(schedule.firstDay.description)), ("dayCount", .integer(schedule.dayCount)),
            ("state", .string(competition.state(at: now).rawValue)), ("opensAt", time(schedule.opensAt)),
            ("startsAt", time(schedule.startsAt)), ("endsAt", time(schedule.endsAt)),
            ("image", .optional(ResourcePaths.image(competition))),
            ("map", .optional(competition.map.map { _ in ResourcePaths.map(ofCompetition: competition.id) })),
            ("createdAt", time(competition.createdAt)), ("changedAt", time(competition.changedAt)),
        ]
    }

    /// The JSON of a competition that a member follows.
    static func followedCompetition(_ followed: FollowedCompetition, at now: WallClockTime) -> JSONText {
        .object(fields(followed.competition, at: now) + [("followedAt", time(followed.followedAt))])
    }

    /// The JSON of a map.
    static func map(_ map: CompetitionMap, of competition: OpaqueID) -> JSONText {
        let bounds = map.bounds
        var lines: [MapLine] = []
        if case .lines(let drawn) = map.ground { lines = drawn }
        return .object([
            ("kind", .string(lines.isEmpty ? "image" : "track")), ("north", .number(bounds.north)),
            ("west", .number(degrees(bounds.west))), ("south", .number(bounds.south)),
            ("east", .number(degrees(bounds.east))),
            ("image", .optional(ResourcePaths.image(of: map, ofCompetition: competition))),
            (
                "lines",
                .array(
                    lines.map { line in
                        .object([
                            ("name", .optional(line.name)),
                            (
                                "points",
                                .array(line.points.map { .array([.number($0.latitude), .number($0.longitude)]) })
                            ),
                        ])
                    })
            ),
        ])
    }

    /// A longitude from -180 to 180.
    private static func degrees(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    /// The JSON of a table.
    static func standings(_ standings: Standings) -> JSONText {
        func cells(_ row: [String]) -> JSONText { .array(row.map(JSONText.string)) }
        return .object([("header", cells(standings.header)), ("rows", .array(standings.rows.map(cells)))])
    }
}
