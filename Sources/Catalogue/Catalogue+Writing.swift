import GRDB

extension Catalogue {
    /// Commits wait for the disk. GRDB's pools use NORMAL by default, with which a power cut may lose the last
    /// transactions.
    static let synchronousOnCommit = "PRAGMA synchronous = FULL"
    private static let synchronousOnCheckpoint = "PRAGMA synchronous = NORMAL"

    /// Inserts a record with a unique ID that is derived from the requested one, or returns the existing record of
    /// the same file.
    func insert<Record: CatalogueRecord & SearchableRecord>(
        _ record: Record, durability: Durability
    ) async throws -> Record {
        try await write(durability: durability) { db in try Self.insertUnlessKnown(record, db) }
    }

    /// Runs updates in one transaction.
    func write<Result: Sendable>(
        durability: Durability, _ updates: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        switch durability {
        case .onDisk: try await database.write(updates)
        case .soon:
            try await database.writeWithoutTransaction { db in
                // Applies to the single writing connection.
                try db.execute(sql: Self.synchronousOnCheckpoint)
                let result = Swift.Result { try Self.transaction(updates, db) }
                try db.execute(sql: Self.synchronousOnCommit)
                return try result.get()
            }
        }
    }

    private static func transaction<Result>(_ updates: (Database) throws -> Result, _ db: Database) throws -> Result {
        try db.beginTransaction()
        do {
            let result = try updates(db)
            try db.commit()
            return result
        } catch {
            try? db.rollback()
            throw error
        }
    }

    /// Copies committed transactions from the log into the database, which writes the log to the disk first.
    package func makeDurable() async throws {
        try await database.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
    }

    /// Whether a commit waits until it is on the disk.
    func waitsForDisk() async throws -> Bool {
        try await database.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2 }
    }

    private static func insertUnlessKnown<Record: CatalogueRecord & SearchableRecord>(
        _ record: Record, _ db: Database
    ) throws -> Record {
        let table = Record.databaseTableName
        if let known = try Record.fetchOne(db, sql: "SELECT * FROM \(table) WHERE file = ?", arguments: [record.file]) {
            return known
        }
        var record = record
        let wanted = record.id.isEmpty ? record.title : record.id
        record.id = try Slug(wanted, fallback: Record.fallbackID).unique { candidate in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?)", arguments: [candidate]) ?? false
        }
        try insert(record, db)
        return record
    }

    /// - Returns: false if there is no record with that ID, revision and file name.
    func replace<Record: CatalogueRecord & SearchableRecord>(
        _ record: Record, from revision: String
    ) async throws -> Bool {
        try await database.write { db in
            let number = try Int64.fetchOne(
                db, sql: "SELECT number FROM \(Record.databaseTableName) WHERE id = ? AND revision = ? AND file = ?",
                arguments: [record.id, revision, record.file])
            guard let number else { return false }
            try Self.update(record, number: number, db)
            return true
        }
    }

    /// Inserts the record, or replaces the record with the same ID.
    func store<Record: CatalogueRecord & SearchableRecord>(_ record: Record) async throws {
        try await database.write { db in
            let table = Record.databaseTableName
            let number = try Int64.fetchOne(db, sql: "SELECT number FROM \(table) WHERE id = ?", arguments: [record.id])
            if let number {
                try Self.update(record, number: number, db)
            } else {
                try Self.insert(record, db)
            }
        }
    }

    private static func insert<Record: CatalogueRecord & SearchableRecord>(_ record: Record, _ db: Database) throws {
        let columns = try columns(of: record)
        let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try db.cachedStatement(sql: "INSERT INTO \(Record.databaseTableName)(\(names)) VALUES (\(places))")
            .execute(arguments: StatementArguments(columns.map(\.value)))
        try db.cachedStatement(sql: "INSERT INTO \(Record.searchTableName)(rowid, text) VALUES (?, ?)")
            .execute(arguments: [db.lastInsertedRowID, SearchText(record.searchText).folded])
        try claimFormerName(record.file, in: Record.databaseTableName, db)
    }

    static func update<Record: CatalogueRecord & SearchableRecord>(
        _ record: Record, number: Int64, _ db: Database
    ) throws {
        let columns = try columns(of: record)
        let assignments = columns.map { "\"\($0.name)\" = ?" }.joined(separator: ", ")
        try db.cachedStatement(sql: "UPDATE \(Record.databaseTableName) SET \(assignments) WHERE number = ?")
            .execute(arguments: StatementArguments(columns.map(\.value) + [number.databaseValue]))
        // Most updates report a job's progress, and updating the search index costs as much as the rest.
        try db.cachedStatement(
            sql: "UPDATE \(Record.searchTableName) SET text = ?1 WHERE rowid = ?2 AND text <> ?1"
        ).execute(arguments: [SearchText(record.searchText).folded, number])
    }

    /// The record's own fields and its sort key.
    private static func columns<Record: CatalogueRecord>(
        of record: Record
    ) throws -> [(name: String, value: DatabaseValue)] {
        var columns = try record.databaseDictionary
        // These fields are written by their own statements, at other times than the rest.
        for name in ["duplicateOf", "posterTime", "uploadedPoster"] { columns[name] = nil }
        columns["sortKey"] = SortKey(record.title).text.databaseValue
        return columns.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
