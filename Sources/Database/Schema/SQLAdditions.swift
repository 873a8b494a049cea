/// The additions of one version of a domain's schema to the version before, as the tables declare it.
struct SQLAdditions: Sendable {
    let version: Int
    private let tables: [SQLTable]
    private let columns: [(table: SQLTable, column: SQLColumn)]
    private let indexes: [(table: SQLTable, index: SQLIndex)]

    /// - Parameters:
    ///   - version: the version of the domain's schema.
    ///   - tables: all tables of the domain.
    init(_ version: Int, of tables: [SQLTable]) {
        self.version = version
        let old = tables.filter { $0.since < version }
        self.tables = tables.filter { $0.since == version }
        columns = old.flatMap { table in
            table.columns.filter { $0.since == version }.map { (table: table, column: $0) }
        }
        indexes = old.flatMap { table in
            table.indexes.filter { $0.since == version }.map { (table: table, index: $0) }
        }
    }

    var isEmpty: Bool { tables.isEmpty && columns.isEmpty && indexes.isEmpty }

    /// A human-readable summary of the additions.
    var name: String {
        (tables.map(\.name) + columns.map { "\($0.table.name).\($0.column.name)" } + indexes.map(\.index.name))
            .joined(separator: ", ")
    }

    /// Why rows that exist cannot have what is added; empty if they can.
    var obstacles: [String] {
        columns.compactMap { table, column in
            column.obstacleToAdding.map { "\(table.name).\(column.name) cannot be added: \($0)" }
        }
    }

    func apply(_ db: any SQLConnection) throws {
        for table in tables { try db.execute(table.creation(db.dialect, version: version)) }
        for (table, column) in columns {
            try db.addColumn(column.name, to: table.name, db.dialect.addition(of: column))
        }
        let creations =
            tables.flatMap { $0.indexCreations(db.dialect, version: version) }
            + indexes.map { $0.table.creation(of: $0.index, db.dialect) }
        for creation in creations { try db.execute(creation) }
    }
}
