/// A step from one version of a domain's tables to the next. A published migration is never edited.
package struct SQLMigration: Sendable {
    /// The version that the step leads to, from 1.
    package var version: Int
    package var name: String
    /// The lowest version of the program's schema that still works with the tables after this step. A step that only
    /// adds tables, columns with defaults, and indexes leaves it as it was, so that two versions of the program run
    /// side by side.
    package var oldestCompatibleVersion: Int
    /// Changes the tables.
    package var apply: @Sendable (any SQLConnection) throws -> Void

    package init(
        _ version: Int, _ name: String, oldestCompatibleVersion: Int,
        apply: @escaping @Sendable (any SQLConnection) throws -> Void
    ) {
        self.version = version
        self.name = name
        self.oldestCompatibleVersion = oldestCompatibleVersion
        self.apply = apply
    }
}
