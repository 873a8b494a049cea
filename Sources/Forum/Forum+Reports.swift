import Accounts
package import Community
import Database
import MediaCore

extension Forum {
    /// The comments of the forum in the queue of the moderators. A decision about the first comment of a topic is one
    /// about the topic.
    package var reportableItems: ReportableItems {
        ReportableItems { [self] id, reader, locks, db in
            try reportable(id, reader: reader, locks: locks, db)
        } setHidden: { [self] isHidden, id, now, db in
            guard let (comment, topic) = try Self.item(id, locks: true, db) else { return }
            try TopicCommentRows.setState(isHidden ? .hidden : .shown, of: comment, db)
            if comment.place == 1 { try TopicRows.setState(isHidden ? .hidden : .shown, of: topic, db) }
            try tell(.changed(topic: topic.id), at: now, db)
        } delete: { [self] id, now, db in
            guard let (comment, topic) = try Self.item(id, locks: true, db) else { return }
            guard comment.place != 1 else { return try remove(topic, at: now, db) }
            try TopicCommentRows.setState(.deleted, of: comment, db)
            try tell(.changed(topic: topic.id), at: now, db)
        }
    }

    private static func item(
        _ id: OpaqueID, locks: Bool, _ db: any SQLConnection
    ) throws -> (comment: ForumComment, topic: ForumTopic)? {
        guard let first = try TopicCommentRows.comment(id, reader: nil, isModerator: true, db) else { return nil }
        if locks { try TopicRows.lock(first.topic, db) }
        guard let topic = try TopicRows.topic(first.topic, db), topic.state != .deleted,
            let comment = try TopicCommentRows.comment(id, reader: nil, isModerator: true, db),
            comment.state != .deleted
        else { return nil }
        return (comment, topic)
    }

    private func reportable(
        _ id: OpaqueID, reader: UserID?, locks: Bool, _ db: any SQLConnection
    ) throws -> ReportableItems.Item? {
        guard let (comment, topic) = try Self.item(id, locks: locks, db) else { return nil }
        let isShown = comment.state == .shown && topic.state == .shown
        guard reader == nil || isShown || comment.author == reader else { return nil }
        let title = comment.place == 1 ? "\(topic.title)\n" : ""
        return ReportableItems.Item(
            owner: comment.author, isHidden: comment.state == .hidden,
            text: title + String(comment.text.prefix(ReportableItems.maximumTextLength)))
    }
}
