extension SQLConnection {
    /// Inserts a row. Columns that are not named get their defaults.
    ///
    /// - Parameters:
    ///   - values: the columns with their values.
    ///   - table: the table.
    ///   - onConflict: the end of the statement, from `ON CONFLICT`; empty if a row that exists is an error.
    /// - Returns: number of rows that were inserted or changed.
    /// - Throws: ``SQLError``.
    @discardableResult package func insert(
        _ values: KeyValuePairs<String, SQLValue>, into table: SQLTable, _ onConflict: String = ""
    ) throws(SQLError) -> Int {
        let insertion = table.insertion(of: values.map(\.key))
        return try execute(onConflict.isEmpty ? insertion : "\(insertion) \(onConflict)", values.map(\.value))
    }

    /// Inserts a row of a table whose rows the engine numbers.
    ///
    /// - Parameters:
    ///   - values: the columns with their values.
    ///   - table: the table.
    /// - Returns: the number of the new row.
    /// - Throws: ``SQLError``.
    package func insertNumbered(_ values: KeyValuePairs<String, SQLValue>, into table: SQLTable) throws -> Int64 {
        let sql = "\(table.insertion(of: values.map(\.key))) RETURNING \(table.key[0])"
        guard let number = try first(sql, values.map(\.value), { row in try row.value(0) as Int64 }) else {
            throw SQLError(.failed, "an inserted row has no number")
        }
        return number
    }

    /// Inserts a row, or replaces the values of the row with its key.
    ///
    /// - Parameters:
    ///   - values: the columns with their values, the key among them.
    ///   - table: the table.
    /// - Throws: ``SQLError``.
    package func upsert(_ values: KeyValuePairs<String, SQLValue>, into table: SQLTable) throws(SQLError) {
        try insert(values, into: table, table.replacement(of: values.map(\.key)))
    }
}
