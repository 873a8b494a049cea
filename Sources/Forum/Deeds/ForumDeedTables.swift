package import Database

/// Parts of a statement that reads the topic and the comment that deeds are about.
package enum ForumDeedTables {
    package static let columns = "topic.title AS topicTitle, topic.state AS topicState, remark.state AS remarkState"

    /// Joins the topic and the comment whose IDs are in two columns; there may be neither.
    package static func joins(topic: String, comment: String) -> String {
        """
        LEFT JOIN forumTopic AS topic ON topic.id = \(topic)
        LEFT JOIN forumComment AS remark ON remark.id = \(comment)
        """
    }

    /// The title of the topic of a row with ``columns``; `nil` if it, or the comment, is not shown any more.
    package static func title(_ row: SQLRow, isComment: Bool) throws -> String? {
        let (state, remark): (String?, String?) = (try row.optional("topicState"), try row.optional("remarkState"))
        guard state == "shown", !isComment || remark == "shown" else { return nil }
        return try row.optional("topicTitle")
    }
}
