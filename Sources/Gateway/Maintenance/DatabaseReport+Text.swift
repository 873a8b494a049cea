package import Database
import Foundation
import MediaCore

extension DatabaseReport {
    /// The output of `antena database check`.
    package var text: String {
        var lines = ["database: \(address)", "engine: \(engine)", "indexes: \(indexCount)", "migrations:"]
        lines += migrations.map { migration in
            let date = Date(migration.appliedAt).formatted(.iso8601)
            return
                "  \(migration.domain) \(migration.version), \(migration.name): \(date) by Antena \(migration.program)"
        }
        lines.append("tables:")
        lines += tables.map { table in
            let size = table.byteCount.map { ", \(ByteCountFormatter.string(fromByteCount: $0, countStyle: .binary))" }
            return "  \(table.name): \(table.rowCount) rows\(size ?? "")"
        }
        if problems.isEmpty { lines.append("no problems found") }
        lines += problems.map { "problem: \($0)" }
        return lines.joined(separator: "\n")
    }
}
