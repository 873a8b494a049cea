package import Database
import Foundation
package import JSONDocument
import MediaCore

extension DatabaseReport {
    /// The report for programs.
    package var json: JSONText {
        .object([
            ("database", .string(address)), ("engine", .string(engine)),
            (
                "migrations",
                .array(
                    migrations.map { migration in
                        .object([
                            ("domain", .string(migration.domain)), ("version", .integer(migration.version)),
                            ("name", .string(migration.name)), ("program", .string(migration.program)),
                            ("appliedAt", .string(Date(migration.appliedAt).formatted(.iso8601))),
                        ])
                    })
            ),
            (
                "tables",
                .array(
                    tables.map { table in
                        .object([
                            ("name", .string(table.name)), ("rowCount", .integer(Int(table.rowCount))),
                            ("byteCount", .optional(table.byteCount.map { Int($0) })),
                        ])
                    })
            ),
            ("indexCount", .integer(indexCount)), ("problems", .array(problems.map(JSONText.string))),
        ])
    }
}
