/// The tables of a domain, such as the catalogue, and the way to them.
///
/// A new database is made from the declaration. One that exists is brought to it step by step: by published migrations,
/// and by steps that follow from what is declared since a version.
package struct SQLSchema: Sendable {
    /// The version of a schema that has changed nothing yet.
    package static let firstVersion = 1

    /// Name in the table of migrations; never changes.
    package var domain: String
    /// All migrations, in the order of their versions, without gaps.
    package var migrations: [SQLMigration]
    /// The tables after the last migration, in an order in which rows can be inserted.
    package var tables: [SQLTable]
    /// Tables that are made from others. They are not copied.
    package var derivedTables: [SQLTable]
    /// Names of tables for full-text search, which are made from others; see ``SQLDialect/fullTextTable(_:)``.
    package var fullTextTables: [String]
    /// Fills the derived tables and those for full-text search again from the others.
    package var rebuildDerivedTables: @Sendable (any SQLConnection) throws -> Void

    /// Traps unless the migrations, with the steps that follow from what is declared since a version, are numbered from
    /// 1 without gaps, and every database can take those steps.
    ///
    /// - Parameters:
    ///   - domain: the name in the table of migrations.
    ///   - migrations: the published migrations, and steps that fill what they add.
    ///   - tables: the tables, in an order in which rows can be inserted.
    ///   - derivedTables: tables that are made from others.
    ///   - fullTextTables: names of tables for full-text search.
    ///   - rebuildDerivedTables: fills both again from the others.
    package init(
        domain: String, migrations: [SQLMigration] = [], tables: [SQLTable], derivedTables: [SQLTable] = [],
        fullTextTables: [String] = [],
        rebuildDerivedTables: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) {
        self.domain = domain
        self.tables = tables
        self.derivedTables = derivedTables
        self.fullTextTables = fullTextTables
        self.rebuildDerivedTables = rebuildDerivedTables
        self.migrations = Self.steps(migrations, tables + derivedTables, fullTextTables, domain)
    }

    package var version: Int { migrations.count }

    /// The names of all tables.
    var tableNames: [String] { (tables + derivedTables).map(\.name) + fullTextTables }

    /// Creates all tables as they are declared.
    func create(_ db: any SQLConnection) throws {
        for table in tables + derivedTables { try db.execute(table.creation(db.dialect, version: version)) }
        for table in tables + derivedTables {
            for index in table.indexCreations(db.dialect, version: version) { try db.execute(index) }
        }
        try Self.createFullTextTables(fullTextTables, db)
    }

    private static func createFullTextTables(_ names: [String], _ db: any SQLConnection) throws {
        for statement in names.flatMap(db.dialect.fullTextTable) { try db.execute(statement) }
    }

    /// The migrations, with a step for each version that only the declaration names.
    private static func steps(
        _ listed: [SQLMigration], _ tables: [SQLTable], _ fullTextTables: [String], _ domain: String
    ) -> [SQLMigration] {
        let declared = tables.flatMap { [$0.since] + $0.columns.map(\.since) + $0.indexes.map(\.since) }.max()
        let newest = max(listed.map(\.version).max() ?? 0, declared ?? 0, firstVersion)
        var oldestCompatibleVersion = firstVersion
        let steps = (firstVersion...newest).compactMap { version -> SQLMigration? in
            let additions = SQLAdditions(version, of: tables)
            guard var step = listed.first(where: { $0.version == version }) ?? additions.step(oldestCompatibleVersion)
            else { return nil }
            oldestCompatibleVersion = step.oldestCompatibleVersion
            guard step.addsDeclared else {
                precondition(
                    version == firstVersion || additions.isEmpty,
                    "\(domain): migration \(version) has statements of its own; \(additions.name) needs a later version"
                )
                return step
            }
            precondition(additions.obstacles.isEmpty, additions.obstacles.joined(separator: "; "))
            let fill = step.apply
            step.apply = { db in
                try additions.apply(db)
                if version == firstVersion { try createFullTextTables(fullTextTables, db) }
                try fill(db)
            }
            return step
        }
        precondition(
            steps.map(\.version) == Array(firstVersion...newest), "migrations are numbered from 1 without gaps")
        precondition(listed.count <= steps.count, "\(domain): two migrations have the same version")
        return steps
    }
}

extension SQLAdditions {
    /// The step to a version that adds something and is not listed; `nil` if it adds nothing.
    fileprivate func step(_ oldestCompatibleVersion: Int) -> SQLMigration? {
        isEmpty ? nil : .adding(version, name, oldestCompatibleVersion: oldestCompatibleVersion)
    }
}
