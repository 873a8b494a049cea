import Accounts
import Database
import MediaCore

/// The rows of members' activities. Each function runs inside the transaction of its caller.
enum ActivityRows {
    /// Up to so many likes of the members whom somebody follows are sorted; more are found by walking the list of all.
    private static let maximumSortedCount: Int64 = 1_000

    /// Notes what somebody did to a member; nothing for the station, and for what members do themselves.
    ///
    /// - Parameters:
    ///   - video: the number of the row of the video that it is about; `nil` for none.
    ///   - comment: the number of the row of the comment; `nil` for none.
    static func add(
        _ kind: ActivityKind, to owner: UserID?, by actor: UserID, video: Int64? = nil, comment: Int64? = nil,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        guard let owner, owner != actor else { return }
        try db.insert(
            [
                "ownerID": .text(owner.text), "actorID": .text(actor.text), "kind": .text(kind.rawValue),
                "video": SQLValue(video), "comment": SQLValue(comment), "happenedAt": .time(now),
            ], into: MemberSchema.activities)
    }

    /// Forgets that somebody likes a video, who does not any more.
    static func removeLike(of video: Int64, by actor: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            "DELETE FROM memberActivity WHERE actorID = ?1 AND kind = ?2 AND video = ?3", .text(actor.text),
            .text(ActivityKind.like.rawValue), .integer(video))
    }

    /// Forgets that somebody follows a member, who does not any more.
    static func removeFollow(of member: UserID, by actor: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            "DELETE FROM memberActivity WHERE actorID = ?1 AND kind = ?2 AND ownerID = ?3", .text(actor.text),
            .text(ActivityKind.follower.rawValue), .text(member.text))
    }

    /// Whether the members whom a member follows like few videos, so that all of these can be sorted.
    static func isSparse(_ member: UserID, _ db: any SQLConnection) throws -> Bool {
        let count: Int64 =
            try db.firstValue(
                """
                SELECT COUNT(*) FROM (
                    SELECT 1 FROM memberFollow JOIN videoLike ON userID = followed WHERE follower = ?1 LIMIT ?2) AS found
                """, .text(member.text), .integer(maximumSortedCount + 1)) ?? 0
        return count <= maximumSortedCount
    }

    static func page(_ query: ActivityQuery, _ db: any SQLConnection) throws -> [Activity] {
        try db.rows(query.sql, query.arguments) { row in
            guard let kind = ActivityKind(rawValue: try row.value("kind")) else { return nil }
            return Activity(
                number: try row.value("number"), kind: kind, actor: try row.value("username"),
                video: try row.optional("videoID"),
                videoName: try row.optional("videoName"), comment: try row.optional("commentID"),
                text: try row.optional("text"),
                happenedAt: try row.time("happenedAt"))
        }.compactMap(\.self)
    }
}
