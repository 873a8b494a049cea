/// A step from one version of a domain's tables to the next. A published migration is never edited.
package struct SQLMigration: Sendable {
    /// The version that the step leads to, from 1.
    package var version: Int
    package var name: String
    /// The lowest version of the program's schema that still works with the tables after this step. A step that only
    /// adds tables, columns with defaults, and indexes leaves it as it was, so that two versions of the program run
    /// side by side.
    package var oldestCompatibleVersion: Int
    /// Whether ``SQLSchema`` adds what is declared since this version before ``apply`` is called.
    var addsDeclared: Bool
    /// Changes the tables.
    package var apply: @Sendable (any SQLConnection) throws -> Void

    /// A step with statements of its own.
    package init(
        _ version: Int, _ name: String, oldestCompatibleVersion: Int,
        apply: @escaping @Sendable (any SQLConnection) throws -> Void
    ) {
        self.init(version, name, oldestCompatibleVersion, addsDeclared: false, apply)
    }

    /// A step that adds the tables, columns and indexes that are declared since its version, and fills them. A step
    /// that fills nothing and lets every version go on need not be listed: ``SQLSchema`` makes it.
    ///
    /// - Parameters:
    ///   - version: the version that the step leads to.
    ///   - name: what it adds, for `antena database check`.
    ///   - oldestCompatibleVersion: the lowest version that works with what was added.
    ///   - fill: puts values into the rows that exist. A new database, which has none, does without.
    package static func adding(
        _ version: Int, _ name: String, oldestCompatibleVersion: Int,
        fill: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) -> SQLMigration {
        SQLMigration(version, name, oldestCompatibleVersion, addsDeclared: true, fill)
    }

    private init(
        _ version: Int, _ name: String, _ oldestCompatibleVersion: Int, addsDeclared: Bool,
        _ apply: @escaping @Sendable (any SQLConnection) throws -> Void
    ) {
        self.version = version
        self.name = name
        self.oldestCompatibleVersion = oldestCompatibleVersion
        self.addsDeclared = addsDeclared
        self.apply = apply
    }
}
