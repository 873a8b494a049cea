package import MediaCore

/// A row of the table of migrations.
package struct AppliedMigration: Sendable, Hashable {
    package var domain: String
    package var version: Int
    package var name: String
    package var oldestCompatibleVersion: Int
    /// The version of Antena that applied it, such as "0.9.0".
    package var program: String
    package var appliedAt: WallClockTime

    static let table = SQLTable(
        "schemaMigration",
        [
            .text("domain"), .integer("version"), .text("name"), .integer("oldestCompatibleVersion"), .text("program"),
            .integer("appliedAt"),
        ], key: ["domain", "version"])

    /// All migrations of a domain, or of all domains, in their order; empty in a new database.
    static func all(_ domain: String? = nil, _ db: any SQLConnection) throws -> [AppliedMigration] {
        guard try db.hasTable(table.name) else { return [] }
        let condition = domain == nil ? "" : " WHERE domain = ?1"
        return try db.rows(
            "SELECT \(table.columnList) FROM \(table.name)\(condition) ORDER BY domain, version",
            domain.map { [.text($0)] } ?? []
        ) { try AppliedMigration($0) }
    }

    static func createTable(_ db: any SQLConnection) throws {
        guard try !db.hasTable(table.name) else { return }
        try db.execute(table.creation(db.dialect, version: SQLSchema.firstVersion))
    }

    func insert(_ db: any SQLConnection) throws {
        try db.insert(
            [
                "domain": .text(domain), "version": SQLValue(version), "name": .text(name),
                "oldestCompatibleVersion": SQLValue(oldestCompatibleVersion), "program": .text(program),
                "appliedAt": .time(appliedAt),
            ], into: Self.table)
    }
}

extension AppliedMigration {
    init(_ row: SQLRow) throws(SQLError) {
        domain = try row.value("domain")
        version = try row.value("version")
        name = try row.value("name")
        oldestCompatibleVersion = try row.value("oldestCompatibleVersion")
        program = try row.value("program")
        appliedAt = try row.time("appliedAt")
    }
}
