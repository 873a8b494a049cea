/// A table as both engines have it. Check and copy work from this description.
package struct SQLTable: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package var name: String
        package var type: SQLColumnType

        package init(_ name: String, _ type: SQLColumnType) {
            self.name = name
            self.type = type
        }
    }

    package var name: String
    /// All columns.
    package var columns: [Column]
    /// Names of the columns of the primary key, in its order.
    package var key: [String]
    /// Whether the key is a number that the engine gives, so that a copy must raise the engine's counter.
    package var isNumbered: Bool

    package init(_ name: String, _ columns: [Column], key: [String], isNumbered: Bool = false) {
        self.name = name
        self.columns = columns
        self.key = key
        self.isNumbered = isNumbered
    }

    /// The columns' names as a list of a statement.
    var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// A statement that inserts a row of all columns, or replaces the row with its key.
    package var upsert: String {
        let others = columns.filter { !key.contains($0.name) }.map { "\($0.name) = excluded.\($0.name)" }
        let action = others.isEmpty ? "NOTHING" : "UPDATE SET \(others.joined(separator: ", "))"
        return """
            INSERT INTO \(name)(\(columnList)) VALUES (\(SQLParameters.list(columns.count)))
            ON CONFLICT (\(key.joined(separator: ", "))) DO \(action)
            """
    }
}
