extension SQLConnection {
    /// Adds the columns that a table lacks, for published migrations that read its rows as this version does. Does
    /// nothing if there is no such table.
    package func addMissingColumns(of table: SQLTable) throws {
        guard try hasTable(table.name) else { return }
        for column in table.columns { try addColumn(column.name, to: table.name, dialect.addition(of: column)) }
    }

    /// Adds a column to a table, unless the table has it.
    ///
    /// - Parameters:
    ///   - name: the name of the column.
    ///   - table: the table, which exists.
    ///   - definition: the type of the column and what else follows its name.
    package func addColumn(_ name: String, to table: String, _ definition: String) throws {
        guard try !hasColumn(name, in: table) else { return }
        try execute("ALTER TABLE \(table) ADD COLUMN \(name) \(definition)")
    }

    /// Gives a numbered table another definition, such as other references, which not every engine can change in place.
    /// For migrations; the rows stay, and the indexes have to be made again.
    ///
    /// - Parameters:
    ///   - table: name of the table, to which no other one refers.
    ///   - key: the column that the engine numbers.
    ///   - columns: the columns that both definitions have, as a list of a statement.
    ///   - definition: the columns and constraints of the new one.
    package func rebuild(_ table: String, numberedBy key: String, columns: String, _ definition: String) throws {
        let rebuilt = "\(table)Rebuilt"
        try execute("CREATE TABLE \(rebuilt)(\(definition))")
        try execute("INSERT INTO \(rebuilt)(\(columns)) SELECT \(columns) FROM \(table)")
        try execute("DROP TABLE \(table)")
        try execute("ALTER TABLE \(rebuilt) RENAME TO \(table)")
        if let statement = dialect.numberingStatement(table: table, column: key) { try execute(statement) }
    }
}
