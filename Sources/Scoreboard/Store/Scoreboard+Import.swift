import Accounts
import Database
import MediaCore

/// Players from tables.
extension Scoreboard {
    /// The outcome of an import.
    package struct PlayerImport: Sendable {
        /// A row about a player who is there already, or is in an earlier row.
        package struct Duplicate: Sendable, Hashable {
            package var line: Int
            package var name: String
        }

        /// Number of rows that were read.
        package internal(set) var read = 0
        /// Number of players that were added, or would be in a trial.
        package internal(set) var added = 0
        package internal(set) var duplicates: [Duplicate] = []
        package internal(set) var problems: [PlayerTable.Problem] = []
    }

    /// Adds the players of a table. A player with the same name and date of birth is not added again. Nobody is added
    /// if a row has a problem.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - isTrial: whether the answer only says what would happen.
    /// - Throws: `Refusal` with `tooMany`.
    package func importPlayers(_ table: PlayerTable, isTrial: Bool) async throws -> PlayerImport {
        var report = PlayerImport(read: table.rows.count, problems: table.problems)
        report.read += Set(table.problems.map(\.line)).count
        var checked: [(line: Int, player: ScorePlayer)] = []
        for row in table.rows {
            do {
                checked.append((row.line, try newPlayer(row.data)))
            } catch {
                report.problems.append(
                    PlayerTable.Problem(
                        line: row.line, column: error.fields.first.flatMap(PlayerTable.Column.init),
                        reason: error.reason))
            }
        }
        report.problems.sort { $0.line < $1.line }
        let before = report
        return try await database.write { [checked] db in
            var report = before
            let (new, duplicates) = try Self.new(checked, db)
            report.duplicates = duplicates
            guard report.problems.isEmpty else { return report }
            report.added = new.count
            if !isTrial { try Self.insert(new, db) } else { try Self.checkRoom(for: new.count, db) }
            return report
        }
    }

    /// The players who are not there yet. All players are read: there are at most ``ScorePlayer/maximumCount``.
    private static func new(
        _ players: [(line: Int, player: ScorePlayer)], _ db: any SQLConnection
    ) throws -> (new: [ScorePlayer], duplicates: [PlayerImport.Duplicate]) {
        var known = Set(
            try db.rows("SELECT sortKey, birthDate FROM scorePlayer", []) { row in
                "\(try row.value("birthDate") as String) \(try row.value("sortKey") as String)"
            })
        var (new, duplicates) = ([ScorePlayer](), [PlayerImport.Duplicate]())
        for (line, player) in players {
            if known.insert("\(player.birthDate) \(player.sortKey)").inserted {
                new.append(player)
            } else {
                duplicates.append(PlayerImport.Duplicate(line: line, name: player.fullName))
            }
        }
        return (new, duplicates)
    }
}
