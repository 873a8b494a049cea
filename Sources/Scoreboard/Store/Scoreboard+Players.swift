package import Accounts
import Database
import Foundation
import JSONDocument
package import MediaCore

/// The players of a station.
extension Scoreboard {
    /// A page of players, by last name.
    ///
    /// - Parameters:
    ///   - search: beginnings of first or last names, with spaces between them; `nil` for all.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func players(
        search: String? = nil, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ScorePlayer> {
        let size = ListPage<ScorePlayer>.size(limit)
        let position = try cursor.map { try ListCursor(parsing: $0, of: Self.playerList, keyCount: 2) }
        let (key, number) = (position?.keys[0] ?? "", try position?.number(1) ?? 0)
        let patterns = Self.patterns(search ?? "")
        let conditions = patterns.indices.map { " AND ' ' || sortKey LIKE ?\($0 + 4) ESCAPE '\\'" }.joined()
        let rows = try await database.read { db in
            try db.rows(
                """
                SELECT \(ScoreboardSchema.players.columnList) FROM scorePlayer
                WHERE (sortKey, number) > (?1, ?2)\(conditions)
                ORDER BY sortKey, number LIMIT ?3
                """,
                [.text(key), .integer(number), SQLValue(size + 1)] + patterns.map { .text($0) }
            ) { (try ScorePlayer($0), try $0.value("sortKey") as String, try $0.value("number") as Int64) }
        }
        let page = ListPage(rows, size: size) { ListCursor(Self.playerList, [$0.1, "\($0.2)"]).text }
        return ListPage(items: page.items.map(\.0), next: page.next)
    }

    private static let playerList = "players"
    /// Limit of the words of a search; further ones are ignored.
    private static let maximumSearchWordCount = 4

    /// The patterns of a search: each word begins a word of the name.
    private static func patterns(_ search: String) -> [String] {
        ScorePlayer.key(search).split(whereSeparator: \.isWhitespace).prefix(maximumSearchWordCount).map { word in
            let literal = word.reduce(into: "") { text, character in
                if "\\%_".contains(character) { text.append("\\") }
                text.append(character)
            }
            return "% \(literal)%"
        }
    }

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

    /// Writes the positions in lists again, for players of earlier versions.
    static func sortPlayers(_ db: any SQLConnection) throws {
        let players = try db.rows("SELECT \(ScoreboardSchema.players.columnList) FROM scorePlayer", []) {
            try ScorePlayer($0)
        }
        for player in players {
            try db.execute(
                "UPDATE scorePlayer SET sortKey = ?2 WHERE id = ?1", .text(player.id.text), .text(player.sortKey))
        }
    }

    /// Makes players, all of them or none.
    ///
    /// - Throws: `Refusal` with `missingFields`, `invalidField` or `tooMany`.
    package func createPlayers(_ data: [PlayerData]) async throws -> [ScorePlayer] {
        let new = try data.map { data throws(Refusal) in try newPlayer(data) }
        try await database.write { db in try Self.insert(new, db) }
        return new
    }

    /// A player who is not stored yet.
    ///
    /// - Throws: `Refusal` with `missingFields` or `invalidField`.
    func newPlayer(_ data: PlayerData) throws(Refusal) -> ScorePlayer {
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

    /// - Throws: `Refusal` with `tooMany`.
    static func checkRoom(for count: Int, _ db: any SQLConnection) throws {
        let known: Int64 = try db.firstValue("SELECT COUNT(*) FROM scorePlayer") ?? 0
        guard known + Int64(count) <= ScorePlayer.maximumCount else {
            throw Refusal(.tooMany, "the limit of \(ScorePlayer.maximumCount) players is reached; delete some first")
        }
    }

    /// - Throws: `Refusal` with `tooMany`.
    static func insert(_ new: [ScorePlayer], _ db: any SQLConnection) throws {
        try checkRoom(for: new.count, db)
        for player in new { try db.insert(player.values, into: ScoreboardSchema.players) }
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
            try Self.show(player, db)
            return player
        }
        return changed
    }

    /// Writes what a player's matches show.
    private static func show(_ player: ScorePlayer, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE scoreEntrant SET person = ?2 WHERE player = ?1", .text(player.id.text),
            .text(MatchSetup.Entrant(player).json.rendered))
        try touchMatches(of: player.id, db)
    }

    // MARK: Photos

    /// Sets or removes the photo of a player. The player's matches show it.
    ///
    /// - Parameters:
    ///   - photo: the photo; `nil` removes it.
    ///   - id: the player.
    /// - Throws: `Refusal` with `notFound`.
    package func setPhoto(_ photo: AccountPhoto?, of id: OpaqueID) async throws -> ScorePlayer {
        let changed = try await database.write { db in
            var player = try Self.player(id, db, locks: true)
            if let photo {
                try db.upsert(["player": .text(id.text), "jpeg": .blob(photo.jpeg)], into: ScoreboardSchema.photos)
            } else {
                try db.execute("DELETE FROM scorePlayerPhoto WHERE player = ?1", .text(id.text))
            }
            player.photo = photo?.version
            player.revision += 1
            try db.execute(
                "UPDATE scorePlayer SET photo = ?2, revision = ?3 WHERE id = ?1", .text(id.text),
                SQLValue(player.photo), .integer(player.revision))
            try Self.show(player, db)
            return player
        }
        return changed
    }

    /// The photo of a player; `nil` if there is none, or no such player.
    package func photo(of id: OpaqueID) async throws -> AccountPhoto? {
        try await database.read { db in
            try db.first("SELECT jpeg FROM scorePlayerPhoto WHERE player = ?1", [.text(id.text)]) { row -> [UInt8] in
                try row.value(0)
            }.flatMap { AccountPhoto(jpeg: $0) }
        }
    }

    /// Deletes a player with the photo; results keep the name.
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
    var sortKey: String { Self.key("\(lastName) \(firstName)") }

    /// A text without case and without the marks of Latin, Greek and Cyrillic letters, so that "Álvarez" stands before
    /// "Bueno", and "nunez" finds "Núñez".
    static func key(_ text: String) -> String {
        let plain = CaselessKey(text).text.decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { !combiningMarks.contains($0.value) }
        return String(String.UnicodeScalarView(plain)).precomposedStringWithCanonicalMapping
    }

    /// Combining Diacritical Marks (Unicode block).
    private static let combiningMarks: ClosedRange<UInt32> = 0x300...0x36F

    fileprivate var values: KeyValuePairs<String, SQLValue> {
        [
            "id": .text(id.text), "firstName": .text(firstName), "lastName": .text(lastName),
            "sortKey": .text(sortKey), "gender": .text(gender.rawValue), "country": .text(country),
            "birthDate": .text(birthDate.description), "extra": .text(extra), "createdAt": .time(createdAt),
            "revision": .integer(revision), "photo": SQLValue(photo),
        ]
    }

    fileprivate init(_ row: SQLRow) throws {
        let birthDate: String = try row.value("birthDate")
        self.init(
            id: try row.value("id"), firstName: try row.value("firstName"), lastName: try row.value("lastName"),
            gender: Gender(rawValue: try row.value("gender")) ?? .other, country: try row.value("country"),
            birthDate: CivilDate(parsing: birthDate) ?? CivilDate(year: 1900, month: 1, day: 1),
            extra: try row.value("extra"), photo: try row.optional("photo"), createdAt: try row.time("createdAt"),
            revision: try row.value("revision"))
    }
}
