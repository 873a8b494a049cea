import Foundation
import GRDB
import MediaCore

/// Copies of a database file beside it, made before migrations.
struct SQLiteBackups: Sendable {
    let path: String

    /// Number of copies that are kept.
    static let keptCount = 3
    private static let infix = ".backup-"

    /// Copies the database with SQLite's backup interface, which is safe while others write, and removes all but the
    /// newest copies.
    ///
    /// - Throws: ``SQLError`` if there is no room; there is no new copy then.
    func make(of pool: DatabasePool, at time: WallClockTime) async throws {
        let name = path + Self.infix + Self.timestamp(time)
        // A copy that was interrupted must not count as one.
        let unfinished = name + ".unfinished"
        do {
            try? FileManager.default.removeItem(atPath: unfinished)
            var configuration = Configuration()
            configuration.journalMode = .default
            let copy = try DatabaseQueue(path: unfinished, configuration: configuration)
            try await Self.copy(pool, copy)
            try copy.close()
            // The copy may hold what only the owner of the database may read.
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            if let mode = attributes[.posixPermissions] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: unfinished)
            }
            try FileManager.default.moveItem(atPath: unfinished, toPath: name)
        } catch {
            try? FileManager.default.removeItem(atPath: unfinished)
            throw SQLError(
                .notWritable,
                """
                the database \(path) cannot be backed up to \(name) before it is migrated: \(error). Make room beside \
                it
                """)
        }
        for old in names().dropLast(Self.keptCount) { try? FileManager.default.removeItem(atPath: old) }
    }

    /// Not on the caller's thread, because a backup is a long call.
    private static func copy(_ pool: DatabasePool, _ copy: DatabaseQueue) async throws {
        try await pool.read { source in
            try copy.writeWithoutTransaction { target in try source.backup(to: target) }
        }
    }

    /// Paths of the copies, oldest first.
    func names() -> [String] {
        let file = URL(filePath: path)
        let folder = file.deletingLastPathComponent().path(percentEncoded: false)
        let prefix = file.lastPathComponent + Self.infix
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".unfinished") }.sorted()
            .map { file.deletingLastPathComponent().appending(path: $0).path(percentEncoded: false) }
    }

    /// A time as `20261123T041500.123Z`, so that names are in the order of time.
    private static func timestamp(_ time: WallClockTime) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Date(time).formatted(style).replacing("-", with: "").replacing(":", with: "")
    }
}
