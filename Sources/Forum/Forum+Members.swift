package import Accounts
import Community
package import Database
import MediaCore

extension Forum {
    /// Limit of the topics and of the comments in the export of a member's data.
    package static let maximumExportCount = 10_000

    /// The topics and comments of a member, newest first, and their choices of parts to follow.
    package func written(
        by member: UserID
    ) async throws -> (topics: [ForumTopic], comments: [ForumComment], follows: [ForumFollow], hasAccepted: Bool) {
        let arguments: [SQLValue] = [.text(member.text), SQLValue(Self.maximumExportCount)]
        return try await database.read { db in
            let topics = try db.rows(
                """
                SELECT \(TopicRows.columns) FROM forumTopic AS t \(TopicRows.joins)
                WHERE t.authorID = ?1 AND t.state <> 'deleted' ORDER BY t.createdAt DESC LIMIT ?2
                """, arguments, TopicRows.topic)
            let comments = try db.rows(
                """
                SELECT \(TopicCommentRows.listedColumns) FROM forumComment AS k \(TopicCommentRows.joins)
                WHERE k.authorID = ?1 AND t.state <> 'deleted' ORDER BY k.writtenAt DESC LIMIT ?2
                """, arguments
            ) { row in try TopicCommentRows.comment(row, reader: member, isModerator: false) }
            let hasAccepted = try db.exists("SELECT 1 FROM forumAcceptance WHERE userID = ?1", .text(member.text))
            return (topics, comments, try ForumFollowRows.all(of: member, db), hasAccepted)
        }
    }

    private static let forgottenBatchSize = 100

    /// Takes out what somebody who leaves has written, as the community does: their comments stay without a name, or
    /// go with their texts. A topic in which nobody else has talked goes with them.
    ///
    /// - Throws: `SQLError`
    package func forget(_ member: UserID, _ db: any SQLConnection) throws {
        let now = now
        if community.settings.commentsStay {
            for table in ["forumTopic", "forumComment"] {
                try db.execute("UPDATE \(table) SET authorID = NULL WHERE authorID = ?1", .text(member.text))
            }
            return
        }
        let alone = try db.rows(
            """
            SELECT \(TopicRows.columns) FROM forumTopic AS t \(TopicRows.joins)
            WHERE t.authorID = ?1 AND t.state <> 'deleted' AND NOT EXISTS (
                SELECT 1 FROM forumParticipant AS other WHERE other.topic = t.number AND other.userID <> ?1)
            """, [.text(member.text)], TopicRows.topic)
        for topic in alone { try remove(topic, at: now, db) }
        var comments: [ForumComment]
        repeat {
            comments = try db.rows(
                """
                SELECT \(TopicCommentRows.listedColumns) FROM forumComment AS k \(TopicCommentRows.joins)
                WHERE k.authorID = ?1 ORDER BY k.writtenAt LIMIT \(Self.forgottenBatchSize)
                """, [.text(member.text)]
            ) { row in try TopicCommentRows.comment(row, reader: member, isModerator: true) }
            for comment in comments { try TopicCommentRows.setState(.deleted, of: comment, db) }
        } while comments.count == Self.forgottenBatchSize
        try db.execute("UPDATE forumTopic SET authorID = NULL WHERE authorID = ?1", .text(member.text))
    }

    package static let sweepInterval = Duration.seconds(60)
    private static let sweptBatchSize = 500

    /// Removes the comments of topics that were deleted, a batch in each transaction, and then the topics.
    ///
    /// - Throws: `SQLError`; what was done until then stays, and the next call goes on.
    package func sweep() async throws {
        while !Task.isCancelled {
            let isFinished = try await database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
                let topic: Int64? = try db.firstValue(
                    "SELECT number FROM forumTopic WHERE state = 'deleted' ORDER BY number LIMIT 1")
                guard let topic else { return true }
                let comments = try db.rows(
                    "SELECT number, id FROM forumComment WHERE topic = ?1 ORDER BY place LIMIT ?2",
                    [.integer(topic), SQLValue(Self.sweptBatchSize)]
                ) { row in (number: try row.value("number") as Int64, id: try row.value("id") as OpaqueID) }
                for comment in comments {
                    try ForumText.delete(comment.number, db)
                    try Community.forgetReports(of: .topicComment, comment.id, db)
                    try db.execute("DELETE FROM forumComment WHERE number = ?1", .integer(comment.number))
                }
                if comments.isEmpty { try db.execute("DELETE FROM forumTopic WHERE number = ?1", .integer(topic)) }
                return false
            }
            if isFinished { return }
        }
    }
}
