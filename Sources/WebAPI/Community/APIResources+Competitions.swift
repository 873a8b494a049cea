import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import JSONDocument
import MediaCore
import Workflows

extension APIResources {
    /// The JSON of a competition in a list.
    static func competition(_ competition: Competition, at now: WallClockTime) -> APIObject<CompetitionFields> {
        CompetitionFields.object { members($0, competition, at: now) }
    }

    /// The JSON of a competition with its days.
    static func competitionWithDays(
        _ competition: Competition, at now: WallClockTime
    ) -> APIObject<CompetitionFields> {
        let days = competition.schedule.days.map { day in
            CompetitionDayFields.object {
                [
                    $0.number(day.number), $0.date(day.date.description), $0.startsAt(time(day.startsAt)),
                    $0.endsAt(time(day.endsAt)),
                    $0.state(CompetitionStateName(day.state(at: now).rawValue)),
                ]
            }
        }
        return CompetitionFields.object { members($0, competition, at: now) + [$0.days(days)] }
    }

    private static func members(
        _ f: CompetitionFields, _ competition: Competition, at now: WallClockTime
    ) -> [JSONText.Field?] {
        let schedule = competition.schedule
        return [
            f.id(competition.id.text), f.name(competition.name), f.description(competition.description),
            f.timeZone(schedule.zone.identifier), f.firstDay(schedule.firstDay.description),
            f.dayCount(schedule.dayCount),
            f.state(CompetitionStateName(competition.state(at: now).rawValue)),
            f.opensAt(time(schedule.opensAt)), f.startsAt(time(schedule.startsAt)), f.endsAt(time(schedule.endsAt)),
            f.image(ResourcePaths.image(competition)),
            f.map(competition.map.map { _ in ResourcePaths.map(ofCompetition: competition.id) }),
            f.createdAt(time(competition.createdAt)), f.changedAt(time(competition.changedAt)),
        ]
    }

    /// The JSON of a competition that a member follows.
    static func followedCompetition(
        _ followed: FollowedCompetition, at now: WallClockTime
    ) -> APIObject<FollowedCompetitionFields> {
        FollowedCompetitionFields.object {
            members(of: competition(followed.competition, at: now)) + [$0.followedAt(time(followed.followedAt))]
        }
    }

    /// The JSON of a map.
    static func map(_ map: CompetitionMap, of competition: OpaqueID) -> APIObject<CompetitionMapFields> {
        let bounds = map.bounds
        var lines: [MapLine] = []
        if case .lines(let drawn) = map.ground { lines = drawn }
        let drawn = lines.map { line in
            CompetitionMapLineFields.object { f in
                [f.name(line.name), f.points(line.points.map { [$0.latitude, $0.longitude] })]
            }
        }
        return CompetitionMapFields.object {
            [
                $0.kind(drawn.isEmpty ? "image" : "track"), $0.north(bounds.north), $0.west(degrees(bounds.west)),
                $0.south(bounds.south), $0.east(degrees(bounds.east)),
                $0.image(ResourcePaths.image(of: map, ofCompetition: competition)), $0.lines(drawn),
            ]
        }
    }

    /// A longitude from -180 to 180.
    private static func degrees(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    /// The JSON of a table.
    static func standings(_ standings: Standings) -> APIObject<StandingsFields> {
        StandingsFields.object { [$0.header(standings.header), $0.rows(standings.rows)] }
    }
}
