extension SQLRow {
    /// The values of all columns of a table, in the order of its declaration.
    package func values(of table: SQLTable) throws(SQLError) -> [SQLValue] {
        var values: [SQLValue] = []
        values.reserveCapacity(table.columns.count)
        for column in table.columns {
            let value = try any(column.name, as: column.type)
            // SQLite gives 2.0 as an integer if the column's type has a name that it does not know.
            if column.type == .real, case .integer(let number) = value {
                values.append(.real(Double(number)))
            } else {
                values.append(value)
            }
        }
        return values
    }
}
