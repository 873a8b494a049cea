import Catalogue
import Database

/// The words of videos, which search finds by their beginnings.
enum VideoText {
    /// The number of words of a search; later ones are ignored.
    private static let maximumWordCount = 8

    static func insert(_ texts: [String], of video: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "INSERT INTO \(VideoSchema.textTable)(rowid, text) VALUES (?1, ?2)", .integer(video),
            .text(FullTextQuery.indexed(SearchText(texts.joined(separator: " ")).folded)))
    }

    static func delete(_ video: Int64, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(VideoSchema.textTable) WHERE rowid = ?1", .integer(video))
    }

    /// The query for the words of a search; `nil` if it has no words.
    static func query(_ text: String) -> FullTextQuery? {
        FullTextQuery(SearchText(text).folded, maximumWordCount: maximumWordCount)
    }
}
