package import Accounts
package import Database

/// The topic and the comment that a deed is about, as they are now. Runs inside the transaction of its caller.
package struct ForumDeedSubject: Sendable {
    package var topic: OpaqueID
    /// The row numbers of the topic and its category.
    package var number: Int64
    package var category: Int64
    /// The name of the channel, or the ID of the title, that the category is about. Members are told if they may read
    /// it.
    package var kind: ForumCategory.Kind
    package var subject: String
    /// Whether the topic, and the comment, are shown.
    package var isShown: Bool

    /// - Returns: `nil` if there is no such topic.
    package static func topic(_ id: OpaqueID, _ db: any SQLConnection) throws -> ForumDeedSubject? {
        try db.first("\(columns) \(joins) WHERE t.id = ?1", [.text(id.text)]) { row in
            try subject(row, comment: "shown")
        }
    }

    /// - Returns: `nil` if there is no such comment.
    package static func comment(_ id: OpaqueID, _ db: any SQLConnection) throws -> ForumDeedSubject? {
        try db.first(
            "\(columns), k.state AS commentState \(joins) JOIN forumComment AS k ON k.topic = t.number WHERE k.id = ?1",
            [.text(id.text)]
        ) { row in try subject(row, comment: try row.value("commentState")) }
    }

    private static let columns = "SELECT t.id, t.number, t.category, t.state, c.kind, c.subject"
    private static let joins = "FROM forumTopic AS t JOIN forumCategory AS c ON c.number = t.category"

    private static func subject(_ row: SQLRow, comment: String) throws -> ForumDeedSubject {
        ForumDeedSubject(
            topic: try row.value("id"), number: try row.value("number"), category: try row.value("category"),
            kind: ForumCategory.Kind(rawValue: try row.value("kind")) ?? .title, subject: try row.value("subject"),
            isShown: (try row.value("state") as String) == "shown" && comment == "shown")
    }
}
