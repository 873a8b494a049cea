extension SQLConnection {
    /// Gives a table another definition, such as other references, which not every engine can change in place. For
    /// migrations; the rows stay, and the indexes have to be made again.
    ///
    /// - Parameters:
    ///   - table: the table, to which no other one refers, with the columns that both definitions have.
    ///   - definition: the columns and constraints of the new one.
    package func rebuild(_ table: SQLTable, _ definition: String) throws {
        let rebuilt = "\(table.name)Rebuilt"
        try execute("CREATE TABLE \(rebuilt)(\(definition))")
        try execute("INSERT INTO \(rebuilt)(\(table.columnList)) SELECT \(table.columnList) FROM \(table.name)")
        try execute("DROP TABLE \(table.name)")
        try execute("ALTER TABLE \(rebuilt) RENAME TO \(table.name)")
        guard table.isNumbered,
            let statement = dialect.numberingStatement(table: table.name, column: table.key[0])
        else { return }
        try execute(statement)
    }
}
