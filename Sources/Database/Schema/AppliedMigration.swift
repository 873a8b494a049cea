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

    static let table = "schemaMigration"

    init(_ row: SQLRow) throws(SQLError) {
        domain = try row.value(0)
        version = try row.value(1)
        name = try row.value(2)
        oldestCompatibleVersion = try row.value(3)
        program = try row.value(4)
        appliedAt = WallClockTime(millisecondsSince1970: try row.value(5))
    }

    /// All migrations of a domain, or of all domains, in their order; empty in a new database.
    static func all(_ domain: String? = nil, _ db: any SQLConnection) throws -> [AppliedMigration] {
        guard try db.hasTable(table) else { return [] }
        let condition = domain == nil ? "" : " WHERE domain = ?1"
        return try db.rows(
            """
            SELECT domain, version, name, oldestCompatibleVersion, program, appliedAt FROM \(table)\(condition)
            ORDER BY domain, version
            """, domain.map { [.text($0)] } ?? []
        ) { try AppliedMigration($0) }
    }

    static func createTable(_ db: any SQLConnection) throws {
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table)(
                domain \(text) NOT NULL, version \(integer) NOT NULL, name \(text) NOT NULL,
                oldestCompatibleVersion \(integer) NOT NULL, program \(text) NOT NULL, appliedAt \(integer) NOT NULL,
                PRIMARY KEY (domain, version))
            """)
    }
}
