package import Accounts
import Database
import MediaCore

extension Community {
    /// The map of a competition, and the competition.
    ///
    /// - Throws: `Refusal` with `notFound`, for a competition without a map, too.
    package func map(of id: OpaqueID) async throws -> (map: CompetitionMap, competition: Competition) {
        try await database.read { db in
            let competition = try Self.competition(id, db)
            guard let map = try MapRows.map(of: competition, db) else {
                throw Refusal(.notFound, "the competition has no map")
            }
            return (map, competition)
        }
    }

    /// The image of the map of a competition, as JPEG; `nil` if it has none, or does not exist.
    package func mapImage(ofCompetition id: OpaqueID) async throws -> MapImage? {
        try await database.read { db in try MapRows.image(of: id, db) }.flatMap { MapImage(jpeg: $0) }
    }

    /// The map of a competition with the newest public videos that have a place, ``MapPoint/maximumCount`` at most, by
    /// one statement.
    ///
    /// - Returns: `nil` if the competition has no map, or does not exist.
    package func map(_ query: MapQuery) async throws -> (map: CompetitionMap, points: [MapPoint])? {
        try await database.read { db in try MapRows.shown(query, db) }
    }

    /// Replaces the map of a competition; see ``changeCompetition(_:from:by:_:)``.
    ///
    /// - Parameters:
    ///   - map: the map; `nil` removes it.
    ///   - image: its image; `nil` for a map of lines.
    ///   - id: the competition.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: who makes the change; whether they may is for the caller of this to ask.
    /// - Throws: `Refusal` with `notFound` or `changedMeanwhile`.
    package func setMap(
        _ map: CompetitionMap?, image: MapImage? = nil, ofCompetition id: OpaqueID, from revisions: Set<Int64>? = nil,
        by caller: Caller
    ) async throws -> Competition {
        try await update(id, from: revisions, by: caller) { competition, db in
            competition.map = try map.map { ContentVersion.text(of: Array(try $0.stored().utf8)) }
            try MapRows.set(map, jpeg: image?.jpeg, of: competition, db)
        }
    }
}
