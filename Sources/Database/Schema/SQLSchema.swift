/// The tables of a domain, such as the catalogue, and the way to them.
package struct SQLSchema: Sendable {
    /// Name in the table of migrations; never changes.
    package var domain: String
    /// All migrations, in the order of their versions, without gaps.
    package var migrations: [SQLMigration]
    /// The tables after the last migration, in an order in which rows can be inserted.
    package var tables: [SQLTable]
    /// Names of the indexes after the last migration that lists and look-ups need.
    package var indexes: [String]
    /// Tables that are made from others, such as those of full-text search.
    package var derivedTables: [String]
    /// Fills the derived tables again from the others.
    package var rebuildDerivedTables: @Sendable (any SQLConnection) throws -> Void

    /// Traps unless the migrations are numbered from 1 without gaps.
    package init(
        domain: String, migrations: [SQLMigration], tables: [SQLTable], indexes: [String] = [],
        derivedTables: [String] = [],
        rebuildDerivedTables: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) {
        precondition(
            migrations.map(\.version) == Array(1..<(migrations.count + 1)),
            "migrations are numbered from 1 without gaps")
        self.domain = domain
        self.migrations = migrations
        self.tables = tables
        self.indexes = indexes
        self.derivedTables = derivedTables
        self.rebuildDerivedTables = rebuildDerivedTables
    }

    package var version: Int { migrations.count }
}
