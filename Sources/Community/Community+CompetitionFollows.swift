package import Accounts
import Database
import MediaCore

extension Community {
    /// Lets a member follow a competition; one who follows it already goes on to do so.
    ///
    /// - Throws: ``CommunityError`` with `notFound` or `loginNeeded`.
    package func follow(_ competition: OpaqueID, by caller: Caller) async throws {
        let (member, now) = (try Self.member(caller), now)
        try await database.write { db in
            let competition = try Self.competition(competition, db)
            try CompetitionRows.follow(competition, by: member.id, at: now, db)
        }
    }

    /// Lets a member follow a competition no longer.
    ///
    /// - Throws: ``CommunityError`` with `notFound` or `loginNeeded`.
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
    /// - Throws: ``CommunityError`` with `invalidCursor`.
    package func followedCompetitions(
        of user: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> AccountsPage<FollowedCompetition> {
        let size = AccountsPage<FollowedCompetition>.size(limit)
        let start = try PageStart(cursor).number
        let rows = try await database.read { db in
            try CompetitionRows.followed(by: user, before: start, limit: size + 1, db)
        }
        return AccountsPage(rows, size: size) { String($0.number) }
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
