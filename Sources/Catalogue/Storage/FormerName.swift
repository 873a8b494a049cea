import Database

/// Names that files had before they were moved. They lead to the file's record until another file has the name.
enum FormerName {
    static let table = SQLTable(
        "formerFile", [.text("section"), .text("file"), .text("subject")], key: ["section", "file"],
        indexes: [SQLIndex("formerFile_subject", "section", "subject")])

    /// Removes the former name, because a file has that name again.
    static func claim(_ name: String, in section: String, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM formerFile WHERE section = ?1 AND file = ?2", .text(section), .text(name))
    }

    /// Notes that a file had the name.
    static func note(_ name: String, of subject: String, in section: String, _ db: any SQLConnection) throws {
        try db.execute(
            """
            INSERT INTO formerFile(section, file, subject) VALUES (?1, ?2, ?3)
            ON CONFLICT (section, file) DO UPDATE SET subject = excluded.subject
            """, .text(section), .text(name), .text(subject))
    }
}
