import Database

/// A title in a statement of another domain, which refers to titles by their row numbers.
package struct JoinedTitle: JoinedRow {
    package static let (tableName, keyColumn) = ("title", "number")
    package let name: String

    package init(as name: String = tableName) { self.name = name }

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
