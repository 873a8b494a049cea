/// A title in a statement of another domain, which refers to titles by their row numbers. The properties are parts of
/// the statement, so that it names no table and no column of the catalogue.
package struct JoinedTitle: Sendable {
    /// The name that the statement gives to the title.
    package let name: String

    package init(as name: String = "title") { self.name = name }

    /// The table with its name, for a list of tables that ``condition(_:)`` connects.
    package var table: String { name == "title" ? "title" : "title AS \(name)" }

    /// The condition that it is the title with the row number of a column.
    package func condition(_ column: String) -> String { "\(name).number = \(column)" }

    /// Joins the title with the row number of a column; rows whose title was deleted are left out.
    package func join(_ column: String) -> String { "JOIN \(table) ON \(condition(column))" }

    /// Joins the title with the row number of a column; the parts of a deleted one are `NULL`.
    package func leftJoin(_ column: String) -> String { "LEFT \(join(column))" }

    package var number: String { "\(name).number" }
    package var id: String { "\(name).id" }
    /// The name that people see.
    package var title: String { "\(name).title" }
    /// A raw value of `TitleState`.
    package var state: String { "\(name).state" }
    package var progress: String { "\(name).progress" }
    package var error: String { "\(name).error" }
    /// Seconds.
    package var duration: String { "\(name).duration" }
    /// 1 or 0.
    package var hasPoster: String { "CASE WHEN \(name).poster IS NULL THEN 0 ELSE 1 END" }

    /// The condition that it can be played.
    package var isReady: String { "\(state) = '\(TitleState.ready.rawValue)'" }
    /// The condition that it was given up.
    package var hasFailed: String { "\(state) = '\(TitleState.failed.rawValue)'" }
}
