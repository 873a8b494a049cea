package import Accounts
import Database
package import MediaCore

extension Community {
    /// Lets a member follow a competition; one who follows it already goes on to do so.
    ///
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func follow(_ competition: OpaqueID, by caller: Caller) async throws {
        let (member, now) = (try Self.member(caller), now)
        try await database.write { db in
            let competition = try Self.competition(competition, db)
            try CompetitionRows.follow(competition, by: member.id, at: now, db)
        }
    }

    /// Lets a member follow a competition no longer.
    ///
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func unfollow(_ competition: OpaqueID, by caller: Caller) async throws {
        let member = try Self.member(caller)
        try await database.write { db in
            let competition = try Self.competition(competition, db)
            try CompetitionRows.unfollow(competition, by: member.id, db)
        }
    }

    /// Whether a member follows a competition.
    package func follows(_ competition: OpaqueID, _ user: UserID) async throws -> Bool {
        try await database.read { db in try CompetitionRows.follows(competition, user, db) }
    }

    /// A page of the competitions that a member follows, the one that was followed last first.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func followedCompetitions(
        of user: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<FollowedCompetition> {
        let size = ListPage<FollowedCompetition>.size(limit)
        let start = try ListCursor.start(cursor)
        let rows = try await database.read { db in
            try CompetitionRows.followed(by: user, before: start, limit: size + 1, db)
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// All competitions that a member follows, for the export of the member's data.
    ///
    /// - Returns: at most ``FollowedCompetition/maximumExportCount``.
    package func allFollowedCompetitions(of user: UserID) async throws -> [FollowedCompetition] {
        try await database.read { db in
            try CompetitionRows.followed(
                by: user, before: .max, limit: FollowedCompetition.maximumExportCount, db)
        }
    }
}
