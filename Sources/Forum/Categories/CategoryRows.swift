import Accounts
import Database
import MediaCore

/// The rows of categories. Each function runs inside the transaction of its caller.
enum CategoryRows {
    static let columns = ForumSchema.categories.columnList(without: "createdAt")

    static func category(_ row: SQLRow) throws -> ForumCategory {
        ForumCategory(
            number: try row.value("number"), id: try row.value("id"),
            // What a later version has written has no page in this one.
            kind: ForumCategory.Kind(rawValue: try row.value("kind")) ?? .title, subject: try row.value("subject"),
            name: try row.value("name"), text: try row.value("text"), place: try row.value("place"),
            topics: try row.value("topics"))
    }

    /// - Throws: `Refusal` with `notFound`.
    static func required(_ id: OpaqueID, locks: Bool = false, _ db: any SQLConnection) throws -> ForumCategory {
        let lock = locks ? db.dialect.rowLock : ""
        let found = try db.first(
            "SELECT \(columns) FROM forumCategory WHERE id = ?1\(lock)", [.text(id.text)], category)
        guard let found else { throw Refusal(.notFound, "there is no such category") }
        return found
    }

    static func category(
        _ kind: ForumCategory.Kind, _ subject: String, _ db: any SQLConnection
    ) throws -> ForumCategory? {
        try db.first(
            "SELECT \(columns) FROM forumCategory WHERE kind = ?1 AND subject = ?2",
            [.text(kind.rawValue), .text(subject)], category)
    }

    static func category(number: Int64, _ db: any SQLConnection) throws -> ForumCategory? {
        try db.first("SELECT \(columns) FROM forumCategory WHERE number = ?1", [.integer(number)], category)
    }

    /// The statement of all categories of the operators, in their order; there are at most
    /// ``ForumCategory/maximumCount``.
    static let listStatement = """
        SELECT \(columns) FROM forumCategory WHERE kind = 'general' ORDER BY place, number
        LIMIT \(ForumCategory.maximumCount)
        """

    static func all(_ db: any SQLConnection) throws -> [ForumCategory] { try db.rows(listStatement, [], category) }

    /// Makes a category unless there is one with its kind and subject.
    ///
    /// - Returns: whether it is new.
    static func insert(_ category: ForumCategory, at now: WallClockTime, _ db: any SQLConnection) throws -> Bool {
        try db.insert(
            [
                "id": .text(category.id.text), "kind": .text(category.kind.rawValue),
                "subject": .text(category.subject), "name": .text(category.name), "text": .text(category.text),
                "place": .integer(category.place), "topics": 0, "createdAt": .time(now),
            ], into: ForumSchema.categories, "ON CONFLICT (kind, subject) DO NOTHING") > 0
    }

    static func count(_ amount: Int64, _ number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE forumCategory SET topics = topics + ?2 WHERE number = ?1", .integer(number), .integer(amount))
    }
}
