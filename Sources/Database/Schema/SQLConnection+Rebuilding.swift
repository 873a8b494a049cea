extension SQLConnection {
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
