import Database

extension Catalogue {
    /// Limits on a query: as many words as anybody types, and as many bytes as a URL carries.
    static let maximumQueryWordCount = 16
    static let maximumQueryCharacterCount = 512

    func page<Record: LibraryRecord>(
        matching query: String?, after cursor: String?, limit: Int, visible: RecordVisibility? = nil
    ) async throws -> Page<Record> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        guard let query = try PageQuery<Record>(query, cursor, limit, visible, database.dialect) else {
            // A query of punctuation only does not match anything.
            return Page(items: [], next: nil)
        }
        return try await database.read { db in
            // The key as stored: text ends at a NUL, which a title may contain, and the computed key would differ then.
            let rows = try query.rows(db) { row in
                (record: try Record(RecordRow(row)), sortKey: try row.value(Record.sortKeyColumn.rawValue) as String)
            }
            let items = rows.prefix(limit).map(\.record)
            guard rows.count > limit, let last = items.last else { return Page(items: items, next: nil) }
            return Page(items: items, next: PageCursor(sortKey: rows[limit - 1].sortKey, id: last.id).text)
        }
    }
}
