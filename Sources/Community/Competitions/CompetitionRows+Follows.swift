import Accounts
import Database
import MediaCore

extension CompetitionRows {
    static func follow(
        _ competition: Competition, by user: UserID, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "competition": .integer(competition.number), "userID": .text(user.text), "followedAt": .time(time),
            ], into: CompetitionSchema.follows, "ON CONFLICT (competition, userID) DO NOTHING")
    }

    static func unfollow(_ competition: Competition, by user: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            "DELETE FROM competitionFollow WHERE competition = ?1 AND userID = ?2", .integer(competition.number),
            .text(user.text))
    }

    static func follows(_ competition: OpaqueID, _ user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM competitionFollow
            WHERE competition = (SELECT number FROM competition WHERE id = ?1) AND userID = ?2
            """, .text(competition.text), .text(user.text))
    }

    /// The statement of a member's list; the parameters are the member, the position before which it begins, and the
    /// number of rows.
    static let followedQuery = """
        SELECT \(columns), follow.followedAt, follow.number AS followNumber
        FROM competitionFollow AS follow JOIN competition ON competition.number = follow.competition
        WHERE follow.userID = ?1 AND follow.number < ?2 ORDER BY follow.number DESC LIMIT ?3
        """

    static func followed(
        by user: UserID, before number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [FollowedCompetition] {
        try db.rows(followedQuery, [.text(user.text), .integer(number), SQLValue(limit)]) { row in
            FollowedCompetition(
                competition: try Competition(row), followedAt: try row.time("followedAt"),
                number: try row.value("followNumber"))
        }
    }
}
