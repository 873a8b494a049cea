/// A table as both engines have it, declared once. The statements that create it, the check, the copy, and the lists of
/// columns in statements follow from this declaration.
package struct SQLTable: Sendable, Hashable {
    package var name: String
    /// All columns.
    package var columns: [SQLColumn]
    /// Names of the columns of the primary key, in its order.
    package var key: [String]
    /// Sets of columns that no two rows may have in common.
    package var uniques: [[String]]
    /// Conditions of SQL that every row meets; those of one column are declared with it.
    package var checks: [String]
    package var indexes: [SQLIndex]
    /// The version of the domain's schema that has added the table.
    package var since: Int

    /// Traps if the key names a column that the table does not have.
    ///
    /// - Parameters:
    ///   - name: the name of the table.
    ///   - columns: all columns.
    ///   - key: names of the columns of the primary key; `nil` for the column that the engine numbers.
    ///   - uniques: sets of columns that no two rows may have in common.
    ///   - checks: conditions that every row meets and that need more than one column.
    ///   - indexes: the indexes that lists and look-ups need.
    ///   - since: the version of the domain's schema that adds the table. Without it, a published migration has.
    package init(
        _ name: String, _ columns: [SQLColumn], key: [String]? = nil, uniques: [[String]] = [], checks: [String] = [],
        indexes: [SQLIndex] = [], since: Int = SQLSchema.firstVersion
    ) {
        self.name = name
        self.columns = columns
        self.key = key ?? columns.filter(\.isIdentity).map(\.name)
        self.uniques = uniques
        self.checks = checks
        self.indexes = indexes
        self.since = since
        precondition(!self.key.isEmpty, "\(name) has no key")
        for column in self.key + uniques.joined() {
            precondition(columns.contains { $0.name == column }, "\(name) has no column \(column)")
        }
    }

    /// Whether the key is a number that the engine gives, so that a copy must raise the engine's counter.
    package var isNumbered: Bool { columns.contains(where: \.isIdentity) }

    // MARK: Parts of statements

    /// The columns' names as a list of a statement.
    package var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// The columns' names as a list of a statement, without some. Traps if the table does not have those.
    ///
    /// - Parameters:
    ///   - row: the row's name in the statement, such as in a join; `nil` if the names are enough. The result's columns
    ///     have the names without it.
    ///   - left: columns that are left out, such as a secret or a large one.
    package func columnList(of row: String? = nil, without left: String...) -> String {
        for name in left { precondition(columns.contains { $0.name == name }, "\(self.name) has no column \(name)") }
        return columns.map(\.name).filter { !left.contains($0) }.map { name in row.map { "\($0).\(name)" } ?? name }
            .joined(separator: ", ")
    }

    /// A statement that inserts a row.
    ///
    /// - Parameter names: the columns whose values are the parameters.
    func insertion(of names: [String]) -> String {
        "INSERT INTO \(name)(\(names.joined(separator: ", "))) VALUES (\(SQLParameters.list(names.count)))"
    }

    /// The end of an insertion that replaces the values of the row with the same key.
    ///
    /// - Parameter names: the columns that are inserted.
    func replacement(of names: [String]) -> String {
        let others = names.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
        let action = others.isEmpty ? "NOTHING" : "UPDATE SET \(others.joined(separator: ", "))"
        return "ON CONFLICT (\(key.joined(separator: ", "))) DO \(action)"
    }

    /// A statement that inserts a row of all columns, or replaces the row with its key.
    package var upsert: String {
        let names = columns.map(\.name)
        return "\(insertion(of: names)) \(replacement(of: names))"
    }
}
