package import Database

/// The files that members send, by name. A title is kept from everybody as soon as it is made of one of them, in the
/// same transaction, however the file was found. Each function runs inside the transaction of its caller.
package enum HeldFileRows {
    static let table = SQLTable(
        "heldFile", [.text("section"), .text("file")], key: ["section", "file"])

    /// Notes a file before it is in the media folder.
    package static func add(
        _ file: String, in section: AudienceRows.Section, _ db: any SQLConnection
    ) throws {
        try db.execute(table.upsert, .text(section.rawValue), .text(file))
        try AudienceRows.noteChange(db)
    }

    /// Forgets a file that is gone.
    package static func remove(
        _ file: String, in section: AudienceRows.Section, _ db: any SQLConnection
    ) throws {
        try db.execute("DELETE FROM heldFile WHERE section = ?1 AND file = ?2", .text(section.rawValue), .text(file))
        try AudienceRows.noteChange(db)
    }

    /// Keeps a new title or track from everybody if its file was noted.
    static func hold(_ id: String, file: String, in section: String, _ db: any SQLConnection) throws {
        guard let section = AudienceRows.Section(rawValue: section),
            try db.exists(
                "SELECT 1 FROM heldFile WHERE section = ?1 AND file = ?2", .text(section.rawValue), .text(file))
        else { return }
        try AudienceRows.hold(.unlisted, in: section, of: id, db)
    }

    /// Limit of the files of ``awaited(_:)``.
    private static let maximumAwaitedCount = 10_000

    /// The files that are not titles or tracks yet, each with the ID that will be its own, unless something has that
    /// ID.
    package static func awaited(
        _ db: any SQLConnection
    ) throws -> [(section: AudienceRows.Section, file: String, id: String)] {
        try db.rows(
            """
            SELECT section, file FROM heldFile WHERE NOT EXISTS (
                SELECT 1 FROM title WHERE heldFile.section = 'title' AND title.file = heldFile.file
                UNION ALL SELECT 1 FROM audioTrack
                WHERE heldFile.section = 'audioTrack' AND audioTrack.file = heldFile.file)
            LIMIT \(maximumAwaitedCount)
            """, []
        ) { row in
            let (section, file): (String, String) = (try row.value("section"), try row.value("file"))
            let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
            return AudienceRows.Section(rawValue: section).map { ($0, file, Slug(stem, fallback: file).description) }
        }.compactMap(\.self)
    }
}
