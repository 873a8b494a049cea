import Accounts
import Database

/// The counters of members. Each function runs inside the transaction of its caller.
enum MemberCountRows {
    enum Counter: String {
        /// The videos that lists show.
        case videos
        case followers, followings
    }

    static func add(_ amount: Int64, _ counter: Counter, of member: UserID, _ db: any SQLConnection) throws {
        let column = counter.rawValue
        // The row of somebody new begins with 0; a check of the table refuses a counter below it.
        try db.insert(
            ["userID": .text(member.text), "videos": 0, "followers": 0, "followings": 0],
            into: VideoSchema.memberCounts, "ON CONFLICT (userID) DO NOTHING")
        try db.execute(
            "UPDATE memberCount SET \(column) = \(column) + ?2 WHERE userID = ?1", .text(member.text),
            .integer(amount))
    }

    /// Number of listed videos of the members whom a member follows.
    static func videos(followedBy member: UserID, _ db: any SQLConnection) throws -> Int64 {
        let integer = db.dialect.name(of: .integer)
        return try db.firstValue(
            """
            SELECT CAST(COALESCE(SUM(videos), 0) AS \(integer)) FROM memberFollow
            JOIN memberCount ON memberCount.userID = followed WHERE follower = ?1
            """, .text(member.text)) ?? 0
    }
}
