package import Accounts
import Database

/// Members who want no results before they have watched the match.
extension Scoreboard {
    /// Limit of the matches that are remembered for a member; the newest count.
    package static let maximumWatchedCount = 1_000

    package func hidesResults(of member: UserID) async throws -> Bool {
        try await database.read { db in try Self.hidesResults(of: member, db) }
    }

    private static func hidesResults(of member: UserID, _ db: any SQLConnection) throws -> Bool {
        let found = try db.first("SELECT 1 AS found FROM scoreHiding WHERE member = ?1", [.text(member.text)]) { _ in
            true
        }
        return found ?? false
    }

    /// Turns it on or off. Turning it off forgets the matches that the member has watched.
    package func hideResults(_ hides: Bool, of member: UserID) async throws {
        try await database.write { db in
            guard hides else {
                try db.execute("DELETE FROM scoreHiding WHERE member = ?1", .text(member.text))
                try db.execute("DELETE FROM scoreWatched WHERE member = ?1", .text(member.text))
                return
            }
            try db.execute("INSERT INTO scoreHiding(member) VALUES (?1) ON CONFLICT DO NOTHING", .text(member.text))
        }
    }

    /// Notes that a member has watched the end of a match; nothing happens unless they hide results.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func noteWatched(_ match: OpaqueID, by member: UserID) async throws {
        try await database.write { db in
            guard try Self.hidesResults(of: member, db) else { return }
            let found = try db.first("SELECT 1 AS found FROM scoreMatch WHERE id = ?1", [.text(match.text)]) { _ in
                true
            }
            guard found != nil else { throw Self.unknownMatch }
            try db.execute(
                "INSERT INTO scoreWatched(member, match) VALUES (?1, ?2) ON CONFLICT (member, match) DO NOTHING",
                .text(member.text), .text(match.text))
            try db.execute(
                """
                DELETE FROM scoreWatched WHERE member = ?1 AND number <= (
                    SELECT number FROM scoreWatched WHERE member = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, .text(member.text), SQLValue(Self.maximumWatchedCount))
        }
    }

    /// The results that a member does not want to be told.
    package func hiddenResults(of member: UserID) async throws -> HiddenResults {
        try await database.read { db in
            guard try Self.hidesResults(of: member, db) else { return .none }
            let watched: [OpaqueID] = try db.rows(
                "SELECT match FROM scoreWatched WHERE member = ?1", [.text(member.text)]
            ) { try $0.value("match") }
            return HiddenResults(hides: true, watched: Set(watched))
        }
    }
}
