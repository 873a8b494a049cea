package import Accounts
import Database
import JSONDocument
package import MediaCore

/// The players of a station.
extension Scoreboard {
    /// A page of players, by last name.
    ///
    /// - Parameters:
    ///   - search: the beginning of a last name; `nil` for all.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func players(
        search: String? = nil, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ScorePlayer> {
        let size = ListPage<ScorePlayer>.size(limit)
        let position = try cursor.map { try ListCursor(parsing: $0, of: Self.playerList, keyCount: 2) }
        let prefix = search.map { CaselessKey($0).text } ?? ""
        let (key, number) = (position?.keys[0] ?? prefix, try position?.number(1) ?? 0)
        let rows = try await database.read { db in
            try db.rows(
                """
                SELECT \(ScoreboardSchema.players.columnList) FROM scorePlayer
                WHERE (sortKey, number) > (?1, ?2) AND sortKey >= ?3 AND sortKey < ?4
                ORDER BY sortKey, number LIMIT ?5
                """,
                [
                    .text(key), .integer(number), .text(prefix),
                    .text(prefix + "\u{10FFFF}"), SQLValue(size + 1),
                ]
            ) { (try ScorePlayer($0), try $0.value("sortKey") as String, try $0.value("number") as Int64) }
        }
        let page = ListPage(rows, size: size) { ListCursor(Self.playerList, [$0.1, "\($0.2)"]).text }
        return ListPage(items: page.items.map(\.0), next: page.next)
    }

    private static let playerList = "players"

    /// - Throws: `Refusal` with `notFound`.
    package func player(_ id: OpaqueID) async throws -> ScorePlayer {
        try await database.read { db in try Self.player(id, db) }
    }

    /// The player with a first and last name; `nil` if there is none, or more than one.
    package func player(named name: String) async throws -> ScorePlayer? {
        let found = try await database.read { db in
            try db.rows(
                """
                SELECT \(ScoreboardSchema.players.columnList) FROM scorePlayer WHERE firstName || ' ' || lastName = ?1
                LIMIT 2
                """, [.text(name)]
            ) { try ScorePlayer($0) }
        }
        return found.count == 1 ? found[0] : nil
    }

    static func player(_ id: OpaqueID, _ db: any SQLConnection, locks: Bool = false) throws -> ScorePlayer {
        let lock = locks ? db.dialect.rowLock : ""
        let found = try db.first(
            "SELECT \(ScoreboardSchema.players.columnList) FROM scorePlayer WHERE id = ?1\(lock)", [.text(id.text)]
        ) { try ScorePlayer($0) }
        guard let found else { throw Refusal(.notFound, "there is no such player") }
        return found
    }

    /// The data of a player that is to be made or changed.
    package struct PlayerData: Sendable {
        package var firstName: String?
        package var lastName: String?
        package var gender: ScorePlayer.Gender?
        package var country: String?
        package var birthDate: CivilDate?
        package var extra: String?

        package init() {}

        fileprivate func apply(to player: inout ScorePlayer) {
            if let firstName { player.firstName = firstName }
            if let lastName { player.lastName = lastName }
            if let gender { player.gender = gender }
            if let country { player.country = country }
            if let birthDate { player.birthDate = birthDate }
            if let extra { player.extra = extra }
        }
    }

    /// Makes players, all of them or none.
    ///
    /// - Throws: `Refusal` with `missingFields`, `invalidField` or `tooMany`.
    package func createPlayers(_ data: [PlayerData]) async throws -> [ScorePlayer] {
        let new = try data.map { data throws(Refusal) in
            guard let gender = data.gender, let birthDate = data.birthDate else {
                let missing = [data.gender == nil ? "gender" : nil, data.birthDate == nil ? "birthDate" : nil]
                throw Refusal.missing(missing.compactMap(\.self))
            }
            var player = ScorePlayer(
                id: OpaqueID(), firstName: "", lastName: "", gender: gender, country: "", birthDate: birthDate,
                extra: "", createdAt: now, revision: 1)
            data.apply(to: &player)
            try player.tidy(today: today)
            return player
        }
        try await database.write { db in
            let count: Int64 = try db.firstValue("SELECT COUNT(*) FROM scorePlayer") ?? 0
            guard count + Int64(new.count) <= ScorePlayer.maximumCount else {
                throw Refusal(
                    .tooMany, "the limit of \(ScorePlayer.maximumCount) players is reached; delete some first")
            }
            for player in new { try db.insert(player.values, into: ScoreboardSchema.players) }
        }
        return new
    }

    /// Changes a player. The results of the player's matches show the new data.
    ///
    /// - Parameters:
    ///   - id: the player.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - data: the fields to change.
    /// - Throws: `Refusal` with `notFound`, `missingFields`, `invalidField` or `changedMeanwhile`.
    package func changePlayer(
        _ id: OpaqueID, from revisions: Set<Int64>?, _ data: PlayerData
    ) async throws -> ScorePlayer {
        let today = today
        let changed = try await database.write { db in
            var player = try Self.player(id, db, locks: true)
            guard revisions?.contains(player.revision) ?? true else {
                throw Refusal.changedMeanwhile("it")
            }
            data.apply(to: &player)
            try player.tidy(today: today)
            player.revision += 1
            try db.execute(
                """
                UPDATE scorePlayer SET firstName = ?2, lastName = ?3, sortKey = ?4, gender = ?5, country = ?6,
                    birthDate = ?7, extra = ?8, revision = ?9 WHERE id = ?1
                """, .text(id.text), .text(player.firstName), .text(player.lastName), .text(player.sortKey),
                .text(player.gender.rawValue), .text(player.country), .text(player.birthDate.description),
                .text(player.extra), .integer(player.revision))
            try db.execute(
                "UPDATE scoreEntrant SET person = ?2 WHERE player = ?1", .text(id.text),
                .text(MatchSetup.Entrant(player).json.rendered))
            try Self.touchMatches(of: id, db)
            return player
        }
        return changed
    }

    /// Deletes a player; results keep the name.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func removePlayer(_ id: OpaqueID) async throws {
        let count = try await database.write { db in
            try Self.touchMatches(of: id, db)
            return try db.execute("DELETE FROM scorePlayer WHERE id = ?1", .text(id.text))
        }
        guard count > 0 else { throw Refusal(.notFound, "there is no such player") }
    }

    /// Lets every server read the matches of a player again.
    private static func touchMatches(of player: OpaqueID, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE scoreMatch SET entrantsRevision = entrantsRevision + 1
            WHERE id IN (SELECT match FROM scoreEntrant WHERE player = ?1)
            """, .text(player.text))
    }
}

extension ScorePlayer {
    /// The position in lists: last name, then first name.
    fileprivate var sortKey: String { CaselessKey("\(lastName) \(firstName)").text }

    fileprivate var values: KeyValuePairs<String, SQLValue> {
        [
            "id": .text(id.text), "firstName": .text(firstName), "lastName": .text(lastName),
            "sortKey": .text(sortKey), "gender": .text(gender.rawValue), "country": .text(country),
            "birthDate": .text(birthDate.description), "extra": .text(extra), "createdAt": .time(createdAt),
            "revision": .integer(revision),
        ]
    }

    fileprivate init(_ row: SQLRow) throws {
        let birthDate: String = try row.value("birthDate")
        self.init(
            id: try row.value("id"), firstName: try row.value("firstName"), lastName: try row.value("lastName"),
            gender: Gender(rawValue: try row.value("gender")) ?? .other, country: try row.value("country"),
            birthDate: CivilDate(parsing: birthDate) ?? CivilDate(year: 1900, month: 1, day: 1),
            extra: try row.value("extra"), createdAt: try row.time("createdAt"), revision: try row.value("revision"))
    }
}
