extension SQLDialect {
    /// A column in the statement that creates its table, or adds it.
    ///
    /// - Parameters:
    ///   - column: the column.
    ///   - isKey: whether it is the whole primary key.
    func definition(of column: SQLColumn, isKey: Bool) -> String {
        ([column.name] + parts(column, isKey: isKey)).joined(separator: " ")
    }

    /// The definition that follows the name of a column that is added to a table.
    func addition(of column: SQLColumn) -> String { parts(column, isKey: false).joined(separator: " ") }

    private func parts(_ column: SQLColumn, isKey: Bool) -> [String] {
        if column.isIdentity { return [identityColumn] }
        var parts = [name(of: column.type)]
        // A key is never NULL, although SQLite would take one that is declared as published migrations have it.
        if isKey { parts.append("PRIMARY KEY") } else if !column.isOptional { parts.append("NOT NULL") }
        if column.isUnique { parts.append("UNIQUE") }
        if let value = column.defaultValue { parts.append("DEFAULT \(literal(value))") }
        if let reference = column.reference {
            parts.append("REFERENCES \(reference.table)(\(reference.column))\(clause(reference.onDelete))")
        }
        if let check = column.check { parts.append("CHECK (\(check))") }
        return parts
    }

    private func clause(_ action: SQLDeleteAction) -> String {
        switch action {
        case .refuse: ""
        case .cascade: " ON DELETE CASCADE"
        case .setNull: " ON DELETE SET NULL"
        }
    }

    private func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        case .blob: preconditionFailure("a default of bytes is not supported")
        }
    }
}
