/// A row of one domain's table in a statement of another domain. The owner's type gives the parts of the statement, so
/// that it names no table and no column that is not its own.
package protocol JoinedRow: Sendable {
    static var tableName: String { get }
    /// The column by which others refer to rows.
    static var keyColumn: String { get }
    /// The name that the statement gives to the row.
    var name: String { get }
}

extension JoinedRow {
    /// The table with its name, for a list of tables that ``condition(_:)`` connects.
    package var table: String { name == Self.tableName ? name : "\(Self.tableName) AS \(name)" }

    /// The condition that it is the row that a column refers to.
    package func condition(_ column: String) -> String { "\(name).\(Self.keyColumn) = \(column)" }

    /// Joins the row that a column refers to; rows of the statement that refer to a deleted one are left out.
    package func join(_ column: String) -> String { "JOIN \(table) ON \(condition(column))" }

    /// Joins the row that a column refers to; the parts of a deleted one are `NULL`.
    package func leftJoin(_ column: String) -> String { "LEFT \(join(column))" }
}
