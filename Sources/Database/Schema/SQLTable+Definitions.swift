extension SQLTable {
    /// The statement that creates the table.
    ///
    /// - Parameters:
    ///   - dialect: that of the database.
    ///   - version: the version of the domain's schema; columns that later ones add are left out.
    func creation(_ dialect: SQLDialect, version: Int) -> String {
        var parts = columns.filter { $0.since <= version }.map { column in
            dialect.definition(of: column, isKey: key == [column.name])
        }
        if key.count > 1 { parts.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
        parts += uniques.map { "UNIQUE (\($0.joined(separator: ", ")))" } + checks.map { "CHECK (\($0))" }
        return "CREATE TABLE \(name)(\(parts.joined(separator: ", ")))"
    }

    /// The statements that create the indexes.
    ///
    /// - Parameters:
    ///   - dialect: that of the database.
    ///   - version: the version of the domain's schema; indexes that later ones add are left out.
    func indexCreations(_ dialect: SQLDialect, version: Int) -> [String] {
        indexes.filter { $0.since <= version }.map { creation(of: $0, dialect) }
    }

    /// The statement that creates an index.
    func creation(of index: SQLIndex, _ dialect: SQLDialect) -> String {
        let end = index.rowNumber.map(dialect.includingRowNumber) ?? ""
        let condition = index.condition.map { " WHERE \($0)" } ?? ""
        return """
            CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name) \
            ON \(name)(\(index.terms.joined(separator: ", ")))\(end)\(condition)
            """
    }
}
