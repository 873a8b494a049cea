package import Database
package import MediaCore

/// The library's catalogue: titles, tracks and jobs, in a database.
///
/// A write is durable when its call returns: it survives a crash of the process and, except with `SQLDurability.soon`,
/// a power cut. Calls throw `SQLError` if the database does not answer.
package final class Catalogue: CatalogueStore {
    let database: any SQLDatabase
    package let lastJobNumber: Int64

    /// Upper bound on the number of items in a page.
    package static let maximumPageSize = ListLimits.maximumSize
    /// Number of records of a batch.
    private static let batchSize = 1_000

    private init(database: any SQLDatabase, lastJobNumber: Int64) {
        self.database = database
        self.lastJobNumber = lastJobNumber
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: an open database. The catalogue does not close it.
    ///   - program: this version of Antena; see `SQLMigrator`.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(_ database: any SQLDatabase, program: String) async throws -> Catalogue {
        try await SQLMigrator(CatalogueSchema.schema, program: program).migrate(database)
        return Catalogue(
            database: database, lastJobNumber: try await database.read { db in try JobCounter.highest(db) })
    }

    // MARK: Titles

    package func title(id: String) async throws -> TitleRecord? { try await record(withID: id) }
    package func title(file: String) async throws -> TitleRecord? { try await record(ofFile: file) }
    package func titles(
        matching query: String?, after cursor: String?, limit: Int
    ) async throws -> ListPage<TitleRecord> {
        try await page(RecordQuery(matching: query), after: cursor, limit: limit)
    }
    /// A page of titles in any order; the other parameters are those of `CatalogueStore`.
    package func titles(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> ListPage<TitleRecord> {
        try await page(query, after: cursor, limit: limit)
    }
    package func titles(after number: Int64) async throws -> RecordBatch<TitleRecord> { try await batch(after: number) }
    package func add(_ title: TitleRecord, durability: SQLDurability) async throws -> TitleRecord {
        try await insert(title, durability: durability)
    }
    package func update(_ title: TitleRecord, from revision: String) async throws -> Bool {
        try await replace(title, from: revision)
    }
    /// Inserts the title with its ID, or replaces the record with that ID.
    package func save(_ title: TitleRecord) async throws { try await store(title) }
    package func deleteTitle(id: String) async throws { try await delete(TitleRecord.self, id: id) }

    // MARK: Tracks

    package func track(id: String) async throws -> AudioTrackRecord? { try await record(withID: id) }
    package func track(file: String) async throws -> AudioTrackRecord? { try await record(ofFile: file) }
    package func tracks(
        matching query: String?, after cursor: String?, limit: Int
    ) async throws -> ListPage<AudioTrackRecord> {
        try await page(RecordQuery(matching: query), after: cursor, limit: limit)
    }
    /// A page of tracks in any order; the other parameters are those of `CatalogueStore`.
    package func tracks(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> ListPage<
        AudioTrackRecord
    > {
        try await page(query, after: cursor, limit: limit)
    }
    package func tracks(after number: Int64) async throws -> RecordBatch<AudioTrackRecord> {
        try await batch(after: number)
    }
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

    private func hasRecord<Record: LibraryRecord>(
        _ type: Record.Type, named name: String, besidesFile file: String
    ) async throws -> Bool {
        try await database.read { db in
            try db.exists(
                "SELECT 1 FROM \(Record.tableName) WHERE sortKey = ?1 AND file <> ?2 LIMIT 1",
                .text(SortKey(name).text), .text(file))
        }
    }

    /// Playable films, newest first.
    package func newestTitles(_ limit: Int, visible: RecordVisibility? = nil) async throws -> [TitleRecord] {
        try await newest(limit, visible, where: TitleKindRows.condition(.film))
    }
    /// Playable tracks, newest first.
    package func newestTracks(_ limit: Int, visible: RecordVisibility? = nil) async throws -> [AudioTrackRecord] {
        try await newest(limit, visible)
    }

    /// - Parameter kind: a further condition; `nil` for all records.
    private func newest<Record: LibraryRecord>(
        _ limit: Int, _ visible: RecordVisibility?, where kind: String? = nil
    ) async throws -> [Record] {
        var arguments = [SQLValue(min(max(1, limit), Self.maximumPageSize))]
        let condition =
            Self.visibility(visible, Record.tableName, &arguments) + (kind.map { " AND \($0)" } ?? "")
        return try await database.read { [arguments] db in
            try Record.all(db, "WHERE state = 'ready'\(condition) ORDER BY number DESC LIMIT ?1", arguments)
        }
    }

    /// A further condition of a statement; empty if everything is visible.
    static func visibility(
        _ visible: RecordVisibility?, _ table: String, _ arguments: inout [SQLValue]
    ) -> String {
        guard let visible else { return "" }
        let condition = visible.condition(table) { value in
            arguments.append(value)
            return "?\(arguments.count)"
        }
        return " AND \(condition)"
    }

    package func counts() async throws -> (titles: Int, tracks: Int) {
        try await counts(visibleTitles: nil, visibleTracks: nil)
    }

    /// Numbers of playable titles and tracks that somebody may be shown; `nil` for all. Trailers are not counted:
    /// they are not offered by themselves.
    package func counts(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Int, tracks: Int) {
        try await database.read { db in
            (
                titles: try Self.readyCount(in: TitleRecord.tableName, visibleTitles, db),
                tracks: try Self.readyCount(in: AudioTrackRecord.tableName, visibleTracks, db)
            )
        }
    }

    /// How long the playable titles and tracks that somebody may be shown last together, without trailers; reads them
    /// all.
    package func durations(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Duration, tracks: Duration) {
        try await database.read { db in
            (
                titles: try Self.readyDuration(in: TitleRecord.tableName, visibleTitles, db),
                tracks: try Self.readyDuration(in: AudioTrackRecord.tableName, visibleTracks, db)
            )
        }
    }

    private static func readyDuration(
        in table: String, _ visible: RecordVisibility?, _ db: any SQLConnection
    ) throws -> Duration {
        var arguments: [SQLValue] = []
        let condition = visibility(visible, table, &arguments) + offered(in: table)
        let real = db.dialect.name(of: .real)
        let sum: Double? = try db.first(
            "SELECT CAST(COALESCE(SUM(duration), 0) AS \(real)) FROM \(table) WHERE state = 'ready'\(condition)",
            arguments
        ) { row in try row.value(0) }
        return .seconds(max(0, sum ?? 0))
    }

    private static func readyCount(
        in table: String, _ visible: RecordVisibility?, _ db: any SQLConnection
    ) throws -> Int {
        var arguments: [SQLValue] = []
        let condition = visibility(visible, table, &arguments) + offered(in: table)
        let count: Int? = try db.first(
            "SELECT count(*) FROM \(table) WHERE state = 'ready'\(condition)", arguments
        ) { row in try row.value(0) }
        return count ?? 0
    }

    private static func offered(in table: String) -> String {
        table == TitleRecord.tableName ? " AND \(TitleKindRows.isOffered)" : ""
    }

    private func record<Record: LibraryRecord>(withID id: String) async throws -> Record? {
        try await database.read { db in try Record.first(db, "WHERE id = ?1", .text(id)) }
    }

    private func record<Record: LibraryRecord>(ofFile name: String) async throws -> Record? {
        try await database.read { db in
            try Record.first(db, "WHERE file = ?1", .text(name)) ?? Self.record(formerlyOfFile: name, db)
        }
    }

    private func batch<Record: LibraryRecord>(after number: Int64) async throws -> RecordBatch<Record> {
        let rows = try await database.read { db in try Record.batch(after: number, limit: Self.batchSize, db) }
        return RecordBatch(
            records: rows.map(\.record), next: rows.count == Self.batchSize ? rows.last?.number : nil)
    }

    private func delete<Record: LibraryRecord>(_ type: Record.Type, id: String) async throws {
        try await database.write { db in
            let table = Record.tableName
            if let number = try Record.number(ofID: id, db) {
                try db.execute("DELETE FROM \(Record.searchTableName) WHERE rowid = ?1", .integer(number))
                try db.execute("DELETE FROM \(Record.pieceTableName) WHERE rowid = ?1", .integer(number))
                try Record.removeFromLists(number: number, db)
            }
            try db.execute("DELETE FROM \(table) WHERE id = ?1", .text(id))
            try db.execute("DELETE FROM formerFile WHERE section = ?1 AND subject = ?2", .text(table), .text(id))
            try AudienceRows.remove(from: table, id, db)
            try DetailRows.remove(from: table, id, db)
        }
    }
}
