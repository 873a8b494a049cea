import Accounts
import Database
import MediaCore

/// The rows of likes. Each function runs inside the transaction of its caller.
enum LikeRows {
    static func set(
        _ isLiked: Bool, _ video: Video, by member: UserID, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        let (owner, video) = (video.owner, video.number)
        let count =
            isLiked
            ? try db.insert(
                ["video": .integer(video), "userID": .text(member.text), "likedAt": .time(now)],
                into: VideoSchema.likes, "ON CONFLICT (video, userID) DO NOTHING")
            : try db.execute(
                "DELETE FROM videoLike WHERE video = ?1 AND userID = ?2", .integer(video), .text(member.text))
        guard count > 0 else { return }
        try db.execute(
            "UPDATE videoCount SET likes = likes + ?2 WHERE video = ?1", .integer(video), .integer(isLiked ? 1 : -1))
        if isLiked {
            try ActivityRows.add(.like, to: owner, by: member, video: video, at: now, db)
        } else {
            try ActivityRows.removeLike(of: video, by: member, db)
        }
    }

    static func likers(
        of video: Int64, reader: UserID?, before number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [ListedMember] {
        try MemberListRows.members(
            in: "videoLike", "userID", where: "video = ?1", .integer(video), and: MemberListRows.showsLikes,
            reader: reader, before: number, limit: limit, db)
    }

    /// Takes back the likes of somebody who leaves.
    static func forget(_ member: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE videoCount SET likes = likes - 1
            WHERE video IN (SELECT video FROM videoLike WHERE userID = ?1)
            """, .text(member.text))
        try db.execute("DELETE FROM videoLike WHERE userID = ?1", .text(member.text))
    }
}
