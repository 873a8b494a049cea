package import Accounts
import Database
import MediaCore

extension Community {
    /// A member's activity, newest first.
    ///
    /// - Returns: at most ``MemberActivity/maximumCount`` of each kind.
    package func activity(of member: UserID) async throws -> MemberActivity {
        let arguments: [SQLValue] = [.text(member.text), SQLValue(MemberActivity.maximumCount)]
        return try await database.read { db in
            var activity = MemberActivity()
            activity.videos = try db.rows(
                """
                SELECT id, name, publishedAt FROM communityVideo WHERE ownerID = ?1
                ORDER BY publishedAt DESC LIMIT ?2
                """, arguments
            ) { row in
                MemberActivity.Publication(
                    id: try row.value("id"), name: try row.value("name"), publishedAt: try row.time("publishedAt"))
            }
            activity.likes = try db.rows(
                """
                SELECT v.id, likedAt FROM videoLike JOIN communityVideo AS v ON v.number = video
                WHERE userID = ?1 ORDER BY videoLike.number DESC LIMIT ?2
                """, arguments
            ) { row in MemberActivity.Like(video: try row.value("id"), likedAt: try row.time("likedAt")) }
            activity.comments = try db.rows(
                """
                SELECT k.id, v.id AS videoID, k.text, k.writtenAt FROM videoComment AS k
                JOIN communityVideo AS v ON v.number = k.video
                WHERE k.authorID = ?1 ORDER BY k.writtenAt DESC LIMIT ?2
                """, arguments
            ) { row in
                MemberActivity.Remark(
                    id: try row.value("id"), video: try row.value("videoID"), text: try row.value("text"),
                    writtenAt: try row.time("writtenAt"))
            }
            activity.reports = try db.rows(
                """
                SELECT kind, subject, reason, text, reportedAt FROM itemReport WHERE reporterID = ?1
                ORDER BY reportedAt DESC LIMIT ?2
                """, arguments
            ) { row in
                MemberActivity.Report(
                    kind: try row.value("kind"), subject: try row.value("subject"), reason: try row.value("reason"),
                    text: try row.value("text"), reportedAt: try row.time("reportedAt"))
            }
            let account = ProfileRows.account
            activity.followings = try db.rows(
                """
                SELECT \(account.username) FROM memberFollow \(account.join("followed")) WHERE follower = ?1
                ORDER BY memberFollow.number DESC LIMIT ?2
                """, arguments
            ) { row in try row.value(0) }
            func others(_ kind: BarrierKind) throws -> [String] {
                try db.rows(
                    """
                    SELECT \(account.username) FROM memberBarrier \(account.join("otherID"))
                    WHERE userID = ?1 AND kind = ?3 ORDER BY number DESC LIMIT ?2
                    """, arguments + [.text(kind.rawValue)]
                ) { row in try row.value(0) }
            }
            (activity.blocked, activity.muted) = (try others(.block), try others(.mute))
            activity.records = try RecordRows.records(of: member, limit: MemberActivity.maximumCount, db)
            activity.profile = try ProfileRows.profile(member, db)
            return activity
        }
    }
}
