/// How far a table has been copied, noted in the target itself.
struct CopyNote: Sendable, Equatable {
    /// The key of the last row that was written; `nil` before the first.
    var lastKey: [SQLValue]?
    var copiedCount: Int64
    var isComplete: Bool

    static let start = CopyNote(lastKey: nil, copiedCount: 0, isComplete: false)
    private static let notes = SQLTable(
        "databaseCopy",
        [.text("name"), .text("lastKey", .optional), .integer("copiedCount"), .integer("isComplete")], key: ["name"])

    /// Begins or resumes a copy.
    ///
    /// - Throws: ``SQLError`` if one of the tables holds rows although no copy was begun.
    static func begin(_ tables: [SQLTable], in database: any SQLDatabase) async throws {
        try await database.write { db in
            guard try !db.hasTable(notes.name) else { return }
            for table in tables where try db.exists("SELECT 1 FROM \(table.name) LIMIT 1") {
                throw SQLError(
                    .constraint,
                    "the target \(database.address) is not empty (\(table.name) has rows); copy into a new database")
            }
            try db.execute(notes.creation(db.dialect, version: SQLSchema.firstVersion))
        }
    }

    /// Ends a copy that is verified. A later copy into the same database is refused.
    static func end(in database: any SQLDatabase) async throws {
        try await database.write { db in try db.execute("DROP TABLE \(notes.name)") }
    }

    static func of(_ table: SQLTable, in database: any SQLDatabase) async throws -> CopyNote {
        try await database.read { db in
            try db.first(
                "SELECT \(notes.columnList) FROM \(notes.name) WHERE name = ?1", [.text(table.name)]
            ) { row in
                let key: String? = try row.optional("lastKey")
                return CopyNote(
                    lastKey: key.flatMap { parse($0, table) }, copiedCount: try row.value("copiedCount"),
                    isComplete: try row.flag("isComplete"))
            } ?? start
        }
    }

    func store(_ table: SQLTable, _ db: any SQLConnection) throws {
        try db.execute(
            Self.notes.upsert, .text(table.name), SQLValue(lastKey.map(Self.text)), .integer(copiedCount),
            .integer(isComplete ? 1 : 0))
    }

    /// A key as text: the values' lengths and values.
    private static func text(_ key: [SQLValue]) -> String {
        key.map { value in
            let text =
                switch value {
                case .integer(let number): String(number)
                case .text(let text): text
                case .null, .real, .blob: ""
                }
            return "\(text.utf8.count):\(text)"
        }.joined()
    }

    /// - Returns: `nil` if the text is not a key of the table; the table is then copied from its beginning.
    private static func parse(_ text: String, _ table: SQLTable) -> [SQLValue]? {
        var rest = text.utf8[...]
        var key: [SQLValue] = []
        for name in table.key {
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), let length = Int(Substring(rest[..<colon])),
                length >= 0, let end = rest.index(colon, offsetBy: length + 1, limitedBy: rest.endIndex)
            else { return nil }
            let value = String(decoding: rest[rest.index(after: colon)..<end], as: UTF8.self)
            if table.columns.first(where: { $0.name == name })?.type == .integer {
                guard let number = Int64(value) else { return nil }
                key.append(.integer(number))
            } else {
                key.append(.text(value))
            }
            rest = rest[end...]
        }
        return rest.isEmpty ? key : nil
    }
}
