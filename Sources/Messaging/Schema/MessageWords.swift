import Catalogue
import Database

/// The words of messages, which search finds by their beginnings.
enum MessageWords {
    /// The number of words of a search; later ones are ignored.
    private static let maximumWordCount = 8

    static func insert(_ text: String, of message: Int64, _ db: any SQLConnection) throws {
        let words = FullTextQuery.indexed(SearchText(text).folded)
        guard !words.isEmpty else { return }
        try db.execute(
            "INSERT INTO \(MessagingSchema.textTable)(rowid, text) VALUES (?1, ?2)", .integer(message), .text(words))
    }

    static func delete(_ message: Int64, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(MessagingSchema.textTable) WHERE rowid = ?1", .integer(message))
    }

    /// Deletes the words of all messages of a conversation, before it is deleted in the same transaction.
    static func delete(allOf conversation: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            """
            DELETE FROM \(MessagingSchema.textTable)
            WHERE rowid IN (SELECT number FROM conversationMessage WHERE conversation = ?1)
            """, .integer(conversation))
    }

    /// The query for the words of a search; `nil` if it has no words.
    static func query(_ text: String) -> FullTextQuery? {
        FullTextQuery(SearchText(text).folded, maximumWordCount: maximumWordCount)
    }
}
