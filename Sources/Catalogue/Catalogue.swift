import GRDB

/// The library's catalogue: titles, tracks and jobs, in one SQLite file.
///
/// A write is durable when its call returns: it survives a crash of the process and, except with ``Durability/soon``,
/// a power cut.
package final class Catalogue: CatalogueStore {
    let database: DatabasePool
    package let lastJobNumber: Int64

    /// Cache size of each connection in KiB. Small, because lists are short and the memory of the whole server is
    /// limited.
    private static let cacheKibibyteCount = 512
    /// Time that a connection waits for another process, such as a backup, to release the database.
    private static let busyTimeoutSeconds = 5.0
    /// Upper bound on the number of items in a page.
    package static let maximumPageSize = 200

    /// Opens or creates the database and migrates it to the current schema.
    ///
    /// - Throws: ``CatalogueError`` if the database has a newer version or cannot be used.
    package init(path: String) throws {
        var configuration = Configuration()
        configuration.maximumReaderCount = 2
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibyteCount)")
        }
        do {
            database = try DatabasePool(path: path, configuration: configuration)
            try database.writeWithoutTransaction { try $0.execute(sql: Self.synchronousOnCommit) }
            let migrator = Self.migrator
            guard try database.read({ try !migrator.hasBeenSuperseded($0) }) else {
                throw CatalogueError(
                    .unusableDatabase,
                    "the catalogue \(path) was written by a newer version of Antena; start that version")
            }
            try migrator.migrate(database)
            lastJobNumber = try database.read { db in
                try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'job'") ?? 0
            }
        } catch let error as DatabaseError {
            throw CatalogueError(.unusableDatabase, Self.explanation(of: error, path: path))
        }
    }

    // MARK: Titles

    package func title(id: String) async throws -> TitleRecord? { try await record(where: "id", is: id) }
    package func title(file: String) async throws -> TitleRecord? { try await record(ofFile: file) }
    package func titles(
        matching query: String?, after cursor: String?, limit: Int
    ) async throws -> Page<TitleRecord> {
        try await page(matching: query, after: cursor, limit: limit)
    }
    package func allTitles() async throws -> [TitleRecord] { try await all() }
    package func add(_ title: TitleRecord, durability: Durability) async throws -> TitleRecord {
        try await insert(title, durability: durability)
    }
    package func update(_ title: TitleRecord, from revision: String) async throws -> Bool {
        try await replace(title, from: revision)
    }
    /// Inserts the title with its ID, or replaces the record with that ID.
    package func save(_ title: TitleRecord) async throws { try await store(title) }
    package func deleteTitle(id: String) async throws { try await delete(TitleRecord.self, id: id) }

    // MARK: Tracks

    package func track(id: String) async throws -> AudioTrackRecord? { try await record(where: "id", is: id) }
    package func track(file: String) async throws -> AudioTrackRecord? { try await record(ofFile: file) }
    package func tracks(
        matching query: String?, after cursor: String?, limit: Int
    ) async throws -> Page<AudioTrackRecord> {
        try await page(matching: query, after: cursor, limit: limit)
    }
    package func allTracks() async throws -> [AudioTrackRecord] { try await all() }
    package func add(_ track: AudioTrackRecord) async throws -> AudioTrackRecord {
        try await insert(track, durability: .onDisk)
    }
    package func update(_ track: AudioTrackRecord, from revision: String) async throws -> Bool {
        try await replace(track, from: revision)
    }
    /// Inserts the track with its ID, or replaces the record with that ID.
    package func save(_ track: AudioTrackRecord) async throws { try await store(track) }
    package func deleteTrack(id: String) async throws { try await delete(AudioTrackRecord.self, id: id) }

    // MARK: Titles and tracks

    package func hasTitle(named name: String, besidesFile file: String) async throws -> Bool {
        try await hasRecord(TitleRecord.self, named: name, besidesFile: file)
    }
    package func hasTrack(named name: String, besidesFile file: String) async throws -> Bool {
        try await hasRecord(AudioTrackRecord.self, named: name, besidesFile: file)
    }

    private func hasRecord<Record: CatalogueRecord>(
        _ type: Record.Type, named name: String, besidesFile file: String
    ) async throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM \(Record.databaseTableName) WHERE sortKey = ? AND file <> ?)"
        return try await database.read { db in
            try Bool.fetchOne(db, sql: sql, arguments: [SortKey(name).text, file]) ?? false
        }
    }

    /// Playable titles, newest first.
    package func newestTitles(_ limit: Int) async throws -> [TitleRecord] { try await newest(limit) }
    /// Playable tracks, newest first.
    package func newestTracks(_ limit: Int) async throws -> [AudioTrackRecord] { try await newest(limit) }

    private func newest<Record: CatalogueRecord>(_ limit: Int) async throws -> [Record] {
        // Row numbers only rise, so the walk along them ends after a few rows.
        let sql = "SELECT * FROM \(Record.databaseTableName) WHERE +state = 'ready' ORDER BY number DESC LIMIT ?"
        return try await database.read { db in
            try Record.fetchAll(db, sql: sql, arguments: [min(max(1, limit), Self.maximumPageSize)])
        }
    }

    package func counts() async throws -> (titles: Int, tracks: Int) {
        try await database.read { db in
            (titles: try Self.readyCount(in: "title", db), tracks: try Self.readyCount(in: "audioTrack", db))
        }
    }

    private static func readyCount(in table: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table) WHERE state = 'ready'") ?? 0
    }

    private func record<Record: CatalogueRecord>(where column: String, is value: String) async throws -> Record? {
        try await database.read { db in
            try Record.fetchOne(
                db, sql: "SELECT * FROM \(Record.databaseTableName) WHERE \(column) = ?", arguments: [value])
        }
    }

    private func record<Record: CatalogueRecord>(ofFile name: String) async throws -> Record? {
        try await database.read { db in
            try Record.fetchOne(
                db, sql: "SELECT * FROM \(Record.databaseTableName) WHERE file = ?", arguments: [name])
                ?? Self.record(formerlyOfFile: name, db)
        }
    }

    private func all<Record: CatalogueRecord>() async throws -> [Record] {
        try await database.read { db in
            try Record.fetchAll(db, sql: "SELECT * FROM \(Record.databaseTableName)")
        }
    }

    private func delete<Record: CatalogueRecord & SearchableRecord>(_ type: Record.Type, id: String) async throws {
        try await database.write { db in
            let table = Record.databaseTableName
            try db.execute(
                sql: "DELETE FROM \(Record.searchTableName) WHERE rowid = (SELECT number FROM \(table) WHERE id = ?)",
                arguments: [id])
            try db.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM formerFile WHERE section = ? AND subject = ?", arguments: [table, id])
        }
    }

    private func page<Record: CatalogueRecord & SearchableRecord>(
        matching query: String?, after cursor: String?, limit: Int
    ) async throws -> Page<Record> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        var conditions: [String] = []
        var arguments = StatementArguments()
        if let query, !query.isEmpty {
            // A query of punctuation only does not match anything.
            guard let search = SearchQuery(query) else { return Page(items: [], next: nil) }
            let searchTable = Record.searchTableName
            conditions.append("number IN (SELECT rowid FROM \(searchTable) WHERE \(searchTable) MATCH ?)")
            arguments += [search.expression]
        }
        if let cursor {
            let position = try PageCursor(parsing: cursor)
            conditions.append("(sortKey, id) > (?, ?)")
            arguments += [position.sortKey, position.id]
        }
        let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
        arguments += [limit + 1]
        let sql = "SELECT * FROM \(Record.databaseTableName) \(filter)ORDER BY sortKey, id LIMIT ?"
        return try await database.read { [arguments] db in
            let rows = try Row.fetchAll(db, sql: sql, arguments: arguments)
            let items = try rows.prefix(limit).map { try Record(row: $0) }
            guard rows.count > limit, let last = items.last else { return Page(items: items, next: nil) }
            // The key as stored: SQLite text ends at a NUL, which a title may contain, and the computed key would
            // differ then.
            return Page(items: items, next: PageCursor(sortKey: rows[limit - 1]["sortKey"], id: last.id).text)
        }
    }
}
