import Accounts
package import Database
import JSONDocument

/// The tables of players and matches. Times are milliseconds since 1970 in UTC.
package enum ScoreboardSchema {
    static let players = SQLTable(
        "scorePlayer",
        [
            .identity("number"), .text("id", .unique), .text("firstName"), .text("lastName"), .text("sortKey"),
            .text("gender"), .text("country"), .text("birthDate"), .text("extra"), .integer("createdAt"),
            .integer("revision"), .text("photo", .optional, .since(2)),
        ],
        indexes: [SQLIndex("scorePlayer_sortKey", "sortKey", "number")])

    /// The photos of players, which are deleted with them.
    static let photos = SQLTable(
        "scorePlayerPhoto",
        [.text("player", .references("scorePlayer", "id", .cascade)), .blob("jpeg")], key: ["player"], since: 2)

    /// `rules` and `setup` are as they were when the match was made; a later change of a file changes no match.
    /// `ruleName` saves lists from reading the rules; `entrantsRevision` rises when a player of the match is changed.
    static let matches = SQLTable(
        "scoreMatch",
        [
            .identity("number"), .text("id", .unique), .text("channel"), .text("rules"), .text("setup"), .text("phase"),
            .integer("lastSequence"), .text("winner", .optional), .text("score"), .text("competition", .optional),
            .integer("createdAt"), .integer("startedAt", .optional), .integer("endedAt", .optional),
            // For statistics: the name of the rules, and both sides' games and points.
            .text("ruleName", .optional, .since(2)), .integer("gamesA", .default(.integer(0)), .since(2)),
            .integer("gamesB", .default(.integer(0)), .since(2)), .integer("pointsA", .default(.integer(0)), .since(2)),
            .integer("pointsB", .default(.integer(0)), .since(2)),
            .integer("entrantsRevision", .default(.integer(0)), .since(2)),
        ],
        indexes: [
            SQLIndex("scoreMatch_channel", "channel", "number"), SQLIndex("scoreMatch_phase", "phase", "number"),
            SQLIndex("scoreMatch_competition", "competition", "number"),
            SQLIndex("scoreMatch_startedAt", "channel", "startedAt", "number"),
        ])

    /// The players of matches. `person` is what results show, also after the player was deleted.
    static let entrants = SQLTable(
        "scoreEntrant",
        [
            .text("match", .references("scoreMatch", "id", .cascade)), .text("side"), .integer("position"),
            .text("player", .optional, .references("scorePlayer", "id", .setNull)), .text("person"),
        ], key: ["match", "side", "position"], indexes: [SQLIndex("scoreEntrant_player", "player", "match")])

    /// The logs of matches: rows are only ever added.
    static let events = SQLTable(
        "scoreEvent",
        [
            .text("match", .references("scoreMatch", "id", .cascade)), .integer("sequence"), .text("id"),
            .text("content"), .integer("happenedAt"), .integer("receivedAt"),
            .text("author", .optional, .account(.setNull)),
        ], key: ["match", "sequence"], uniques: [["match", "id"]],
        indexes: [SQLIndex("scoreEvent_author", "author")])

    /// The drawings of members; `strokes` is JSON.
    static let strategies = SQLTable(
        "scoreStrategy",
        [
            .identity("number"), .text("id", .unique), .text("owner", .account(.cascade)), .text("name"),
            .text("court"), .text("strokes"), .integer("strokeCount"), .integer("createdAt"), .integer("changedAt"),
            .integer("revision"),
        ], indexes: [SQLIndex("scoreStrategy_owner", "owner", "number")], since: 2)

    /// The drawings that the boards of channels show.
    static let displays = SQLTable(
        "scoreDisplay", [.text("channel"), .text("court"), .text("strokes"), .integer("shownAt")], key: ["channel"],
        since: 2)

    /// The members who want no results before they have watched the match.
    static let hiding = SQLTable("scoreHiding", [.text("member", .account(.cascade))], key: ["member"], since: 3)

    /// The matches whose end those members have watched.
    static let watched = SQLTable(
        "scoreWatched",
        [
            .identity("number"), .text("member", .account(.cascade)),
            .text("match", .references("scoreMatch", "id", .cascade)),
        ], uniques: [["member", "match"]],
        indexes: [SQLIndex("scoreWatched_member", "member", "number"), SQLIndex("scoreWatched_match", "match")],
        since: 3)

    package static let schema = SQLSchema(
        domain: "scoreboard",
        migrations: [
            .adding(
                2, "photos of players, lists without diacritics, statistics", oldestCompatibleVersion: 1
            ) { db in
                try Scoreboard.sortPlayers(db)
                try countResults(db)
            },
            .adding(3, "results that members want to watch first", oldestCompatibleVersion: 1),
        ],
        tables: [players, photos, matches, entrants, events, strategies, displays, hiding, watched])

    /// Matches of which a migration holds the texts at once.
    private static let batchSize = 200

    /// Counts the games and points of matches that earlier versions have stored.
    private static func countResults(_ db: any SQLConnection) throws {
        var last: Int64 = 0
        while true {
            let rows = try db.rows(
                "SELECT number, rules, score, winner FROM scoreMatch WHERE number > ?1 ORDER BY number LIMIT ?2",
                [.integer(last), SQLValue(batchSize)]
            ) { row in
                (
                    number: try row.value("number") as Int64, rules: try row.value("rules") as String,
                    score: try row.value("score") as String, winner: try row.optional("winner") as String?
                )
            }
            for row in rows {
                let node = try? JSONParser.parse(row.rules.utf8)
                let tally = MatchTally(
                    scoreText: row.score, winner: row.winner.flatMap(MatchSide.init),
                    hasPeriods: node?["play"]?["kind"]?.string == "periods")
                try db.execute(
                    """
                    UPDATE scoreMatch SET ruleName = ?2, gamesA = ?3, gamesB = ?4, pointsA = ?5, pointsB = ?6
                    WHERE number = ?1
                    """, .integer(row.number), SQLValue(node?["id"]?.string), SQLValue(tally.games.a),
                    SQLValue(tally.games.b),
                    SQLValue(tally.points.a), SQLValue(tally.points.b))
            }
            guard let end = rows.last, rows.count == batchSize else { break }
            last = end.number
        }
    }
}
