import Accounts
import Catalogue
import Database
import MediaCore

/// The rows of votes. Each function runs inside the transaction of its caller.
enum VoteRows {
    private static let title = JoinedTitle()

    /// The member's rating; `nil` without a vote.
    static func rating(of title: Int64, by user: UserID, _ db: any SQLConnection) throws -> Int? {
        let rating: Int64? = try db.firstValue(
            "SELECT rating FROM titleVote WHERE titleNumber = ?1 AND userID = ?2", .integer(title), .text(user.text))
        return rating.map { Int($0) }
    }

    static func set(
        _ rating: Int, of title: Int64, by user: UserID, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            ClubSchema.votes.upsert, .integer(title), .text(user.text), SQLValue(rating), .time(now))
    }

    /// A member's votes for titles that there still are, in the order of the titles.
    static func all(by user: UserID, limit: Int, _ db: any SQLConnection) throws -> [MemberVote] {
        try db.rows(
            """
            SELECT \(title.id) AS titleID, \(title.title) AS titleName, rating, votedAt FROM titleVote \(title.join("titleVote.titleNumber"))
            WHERE userID = ?1 ORDER BY titleVote.titleNumber LIMIT ?2
            """, [.text(user.text), SQLValue(limit)]
        ) { row in
            MemberVote(
                title: try row.value("titleID"), name: try row.value("titleName"),
                rating: Int(try row.value("rating") as Int64),
                votedAt: try row.time("votedAt"))
        }
    }

    /// Counted each time, so that it is right whatever has happened to accounts.
    static func tally(of title: Int64, _ db: any SQLConnection) throws -> VoteTally {
        let integer = db.dialect.name(of: .integer)
        let tally = try db.first(
            """
            SELECT COUNT(*) AS voteCount, CAST(COALESCE(SUM(rating), 0) AS \(integer)) AS ratingSum FROM titleVote WHERE titleNumber = ?1
            """, [.integer(title)]
        ) { row in VoteTally(count: try row.value("voteCount"), sum: try row.value("ratingSum")) }
        return tally ?? VoteTally(count: 0, sum: 0)
    }
}
