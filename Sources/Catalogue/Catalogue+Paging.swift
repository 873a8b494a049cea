import Database
import MediaCore

extension Catalogue {
    /// Limits on a query: as many words as anybody types, and as many bytes as a URL carries.
    static let maximumQueryWordCount = 16
    static let maximumQueryCharacterCount = 512

    func page<Record: LibraryRecord>(
        _ wanted: RecordQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<Record> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        guard let query = try PageQuery<Record>(wanted, cursor, limit, database.dialect) else {
            // A query of punctuation only does not match anything.
            return ListPage(items: [], next: nil)
        }
        return try await database.read { db in
            // The keys as stored: text ends at a NUL, which a title may contain, and the computed key would differ
            // then.
            let rows = try query.rows(db) { row in
                (record: try Record(row), key: try wanted.order.key(row))
            }
            let items = rows.prefix(limit).map(\.record)
            guard rows.count > limit, let last = items.last else { return ListPage(items: items, next: nil) }
            return ListPage(
                items: items, next: PageCursor(order: wanted.order, key: rows[limit - 1].key, id: last.id).text)
        }
    }
}

extension RecordOrder {
    /// The key of a row as a cursor has it.
    fileprivate func key(_ row: SQLRow) throws -> String {
        switch self {
        case .title: try row.value("sortKey")
        case .newest: "\(try row.value("number") as Int64)"
        case .duration, .longest: "\(try row.optional("duration") ?? 0.0)"
        }
    }
}
