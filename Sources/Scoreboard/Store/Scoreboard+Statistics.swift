package import Accounts
import Database

/// Statistics of players.
extension Scoreboard {
    /// Counts the results of a player, of any age.
    ///
    /// - Parameters:
    ///   - id: the player.
    ///   - rival: counts only matches in which this player was on the other side; `nil` for all.
    ///   - isShown: whether matches of a channel count.
    /// - Throws: `Refusal` with `notFound`.
    package func statistics(
        of id: OpaqueID, against rival: OpaqueID? = nil, isShown: (_ channel: String) -> Bool
    ) async throws -> PlayerStatistics {
        let (player, other, rows) = try await database.read { db in
            (
                try Self.player(id, db), try rival.map { try Self.player($0, db) },
                try Self.counts(of: id, against: rival, db)
            )
        }
        var statistics = PlayerStatistics(player: player, rival: other)
        var byRules: [String: PlayerStatistics.Counts] = [:]
        for row in rows where isShown(row.channel) {
            byRules[row.rules, default: .init()] += row.counts
            statistics.total += row.counts
        }
        statistics.rules = byRules.map { (name: $0.key, counts: $0.value) }
            .sorted { ($1.counts.matches, $0.name) < ($0.counts.matches, $1.name) }
        return statistics
    }

    /// The counts by channel and rules. The index of entrants finds the matches, and no log is read.
    private static func counts(
        of id: OpaqueID, against rival: OpaqueID?, _ db: any SQLConnection
    ) throws -> [(channel: String, rules: String, counts: PlayerStatistics.Counts)] {
        let integer = db.dialect.name(of: .integer)
        func sum(_ name: String, _ value: String) -> String { "CAST(SUM(\(value)) AS \(integer)) AS \(name)" }
        func own(_ column: String, isOther: Bool = false) -> String {
            "CASE e.side WHEN '\(isOther ? "b" : "a")' THEN m.\(column)A ELSE m.\(column)B END"
        }
        let condition =
            rival == nil
            ? ""
            : " AND EXISTS (SELECT 1 FROM scoreEntrant AS r WHERE r.player = ?2 AND r.match = e.match AND r.side <> e.side)"
        return try db.rows(
            """
            SELECT m.channel, COALESCE(m.ruleName, '') AS name, CAST(COUNT(*) AS \(integer)) AS matches,
                \(sum("won", "CASE WHEN m.winner = e.side THEN 1 ELSE 0 END")),
                \(sum("lost", "CASE WHEN m.winner <> e.side THEN 1 ELSE 0 END")),
                \(sum("gamesWon", own("games"))), \(sum("gamesLost", own("games", isOther: true))),
                \(sum("pointsFor", own("points"))), \(sum("pointsAgainst", own("points", isOther: true)))
            FROM scoreEntrant AS e JOIN scoreMatch AS m ON m.id = e.match
            WHERE e.player = ?1 AND m.phase = 'finished'\(condition)
            GROUP BY m.channel, COALESCE(m.ruleName, '')
            """, [.text(id.text)] + (rival.map { [.text($0.text)] } ?? [])
        ) { row in
            func count(_ name: String) throws -> Int { Int(clamping: try row.value(name) as Int64) }
            var counts = PlayerStatistics.Counts()
            (counts.matches, counts.won, counts.lost) = (try count("matches"), try count("won"), try count("lost"))
            (counts.gamesWon, counts.gamesLost) = (try count("gamesWon"), try count("gamesLost"))
            (counts.pointsFor, counts.pointsAgainst) = (try count("pointsFor"), try count("pointsAgainst"))
            return (try row.value("channel") as String, try row.value("name") as String, counts)
        }
    }
}
