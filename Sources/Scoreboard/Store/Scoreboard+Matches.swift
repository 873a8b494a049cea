package import Accounts
import Database
import JSONDocument
package import MediaCore
import Synchronization

/// Matches and their results.
extension Scoreboard {
    /// Sets a match up.
    ///
    /// - Throws: `Refusal` with `invalidField`, `emptyField`, `conflict` or `tooMany`.
    package func createMatch(_ new: NewMatch) async throws -> ScoreMatch {
        guard let rules = MatchRuleFiles.rules(new.rules), let text = MatchRuleFiles.text(new.rules) else {
            let names = MatchRuleFiles.all.map(\.id).joined(separator: ", ")
            throw Refusal(.invalidField, "the field `rules` must be one of: \(names)", fields: ["rules"])
        }
        let modality = new.modality ?? rules.modalities[0]
        guard rules.modalities.contains(modality) else {
            throw Self.oneOf("modality", rules.modalities.map(\.rawValue))
        }
        let scoring = new.scoring ?? rules.defaultScoring
        guard rules.scorings.contains(scoring) else { throw Self.oneOf("scoring", rules.scorings.map(\.rawValue)) }
        for (field, side) in [("sideA", new.sides.a), ("sideB", new.sides.b)] {
            guard side.count == modality.playerCount else {
                throw Refusal(
                    .invalidField, "the field `\(field)` must have \(modality.playerCount) entries", fields: [field])
            }
        }
        let all = new.sides.a + new.sides.b
        guard Set(all).count == all.count else {
            throw Refusal(.conflict, "that player is already selected", fields: ["sideB"])
        }
        if let server = new.firstServer, !(0..<modality.playerCount).contains(server.player) {
            throw Refusal(
                .invalidField, "the field `firstServer` is not a player of the match", fields: ["firstServer"])
        }
        let draw = new.draw ?? (new.firstServer == nil ? .random() : nil)
        if let draw, let server = new.firstServer, server != MatchServer(draw.side) {
            throw Refusal(
                .invalidField, "the seed draws \(draw.side.rawValue)1, which `firstServer` is not",
                fields: ["drawSeed"])
        }
        let (id, now) = (OpaqueID(), now)
        let lines = (
            try Self.line(new.competition, "competition"), try Self.line(new.stage, "stage"),
            try Self.line(new.referee, "referee")
        )
        let match = try await database.write { db in
            let open: Int64 =
                try db.firstValue(
                    "SELECT COUNT(*) FROM scoreMatch WHERE channel = ?1 AND phase NOT IN ('finished', 'abandoned')",
                    .text(new.channel)) ?? 0
            guard open < Self.maximumOpenCount else {
                throw Refusal(
                    .tooMany,
                    "the channel has \(Self.maximumOpenCount) matches that have not ended; end or delete one first")
            }
            let setup = MatchSetup(
                channel: new.channel, rules: rules, rulesText: text, modality: modality, scoring: scoring,
                sides: try new.sides.map { try $0.map { try Self.entrant($0, db) } },
                firstServer: new.firstServer ?? MatchServer(draw?.side ?? .a), isDrawn: new.isDrawn || draw != nil,
                draw: draw, competition: lines.0, stage: lines.1, referee: lines.2)
            let match = ScoreMatch(id: id, setup: setup, createdAt: now, log: MatchLog(setup.beginning))
            try Self.insert(match, db)
            try self.tell(match, db)
            return match
        }
        remember(match)
        return match
    }

    private static func oneOf(_ field: String, _ values: [String]) -> Refusal {
        Refusal(
            .invalidField, "the field `\(field)` must be one of: \(values.joined(separator: ", "))", fields: [field])
    }

    private static func line(_ text: String, _ field: String) throws(Refusal) -> String {
        let limit = MatchSetup.maximumLineLength
        let line = UntrustedText.stripped(text, maximumCharacterCount: limit + 1)
        guard line.unicodeScalars.count <= limit else {
            throw Refusal(.invalidField, "the field `\(field)` is limited to \(limit) characters", fields: [field])
        }
        return line
    }

    private static func entrant(_ new: NewMatch.Entrant, _ db: any SQLConnection) throws -> MatchSetup.Entrant {
        switch new {
        case .player(let id): return MatchSetup.Entrant(try player(id, db))
        case .name(let name):
            let line = try line(name, "name")
            guard !line.allSatisfy(\.isWhitespace) else {
                throw Refusal(.emptyField, "each side needs a name", field: "name")
            }
            return MatchSetup.Entrant(name: line)
        }
    }

    private static func insert(_ match: ScoreMatch, _ db: any SQLConnection) throws {
        let setup = match.setup
        try db.insert(
            [
                "id": .text(match.id.text), "channel": .text(setup.channel), "rules": .text(setup.rulesText),
                "ruleName": .text(setup.rules.id), "setup": .text(setup.json.rendered),
                "phase": .text(match.state.phase.rawValue),
                "lastSequence": .integer(0), "score": .text(""),
                "competition": SQLValue(setup.competition.isEmpty ? nil : setup.competition),
                "createdAt": .time(match.createdAt),
            ], into: ScoreboardSchema.matches)
        for side in MatchSide.allCases {
            for (position, entrant) in setup.sides[side].enumerated() {
                try db.insert(
                    [
                        "match": .text(match.id.text), "side": .text(side.rawValue), "position": SQLValue(position),
                        "player": SQLValue(entrant.player?.text), "person": .text(entrant.json.rendered),
                    ], into: ScoreboardSchema.entrants)
            }
        }
    }

    // MARK: Reading

    /// - Throws: `Refusal` with `notFound`.
    package func match(_ id: OpaqueID) async throws -> ScoreMatch {
        let match = try await database.read { db in try self.load(id, db) }
        remember(match)
        return match
    }

    /// The match that the board of a channel shows: the newest that has not ended, or the one that has just ended.
    package func currentMatch(of channel: String) async throws -> ScoreMatch? {
        let earliest = now - Self.resultTime
        let id: OpaqueID? = try await database.read { db in
            try db.first(
                """
                SELECT id FROM scoreMatch WHERE channel = ?1 AND phase NOT IN ('ready', 'finished', 'abandoned')
                ORDER BY number DESC LIMIT 1
                """, [.text(channel)]
            ) { try $0.value("id") }
                ?? db.first(
                    """
                    SELECT id FROM scoreMatch WHERE channel = ?1 AND (phase = 'ready' OR (phase = 'finished' AND endedAt > ?2))
                    ORDER BY CASE phase WHEN 'finished' THEN 0 ELSE 1 END, number DESC LIMIT 1
                    """, [.text(channel), .time(earliest)]
                ) { try $0.value("id") }
        }
        guard let id else { return nil }
        return try await match(id)
    }

    /// Limit of the matches of a span of time. A day on one court has fewer.
    private static let maximumSpanCount = 50
    /// Limit of their entries, after which no further match is read: ten times the states of an answer.
    private static let maximumSpanEntryCount = 10_000

    /// The matches that were played on a channel in a span of time, oldest first; of too many, the first ones.
    package func matches(of channel: String, from: WallClockTime, to: WallClockTime) async throws -> [ScoreMatch] {
        let earliest = from - Self.resultTime
        let found = try await database.read { db in
            let ids: [OpaqueID] = try db.rows(
                """
                SELECT id FROM scoreMatch
                WHERE channel = ?1 AND startedAt <= ?2 AND (endedAt IS NULL OR endedAt >= ?3)
                ORDER BY startedAt, number LIMIT ?4
                """, [.text(channel), .time(to), .time(earliest), SQLValue(Self.maximumSpanCount)]
            ) { try $0.value("id") }
            var (matches, entryCount): ([ScoreMatch], Int) = ([], 0)
            for id in ids where entryCount < Self.maximumSpanEntryCount {
                let match = try self.load(id, db)
                entryCount += match.log.entries.count
                matches.append(match)
            }
            return matches
        }
        for match in found { remember(match) }
        return found
    }

    /// A page of matches, newest first.
    ///
    /// - Throws: `Refusal` with `invalidCursor`.
    package func matches(
        _ filter: MatchFilter = MatchFilter(), after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<MatchSummary> {
        let size = ListPage<MatchSummary>.size(limit)
        let start = try ListCursor.start(cursor)
        var (conditions, arguments): ([String], [SQLValue]) = (["number < ?1"], [.integer(start), SQLValue(size + 1)])
        func add(_ condition: (Int) -> String, _ value: SQLValue) {
            arguments.append(value)
            conditions.append(condition(arguments.count))
        }
        if let channel = filter.channel { add({ "channel = ?\($0)" }, .text(channel)) }
        if let competition = filter.competition { add({ "competition = ?\($0)" }, .text(competition)) }
        if let player = filter.player {
            add({ "id IN (SELECT match FROM scoreEntrant WHERE player = ?\($0))" }, .text(player.text))
        }
        if let from = filter.from { add({ "endedAt >= ?\($0)" }, .integer(from.millisecondsSince1970)) }
        if let until = filter.until { add({ "endedAt < ?\($0)" }, .integer(until.nextDay.millisecondsSince1970)) }
        if let ids = filter.ids {
            let first = arguments.count + 1
            arguments += ids.map { .text($0.text) }
            let places = ids.indices.map { "?\(first + $0)" }.joined(separator: ", ")
            conditions.append(ids.isEmpty ? "1 = 0" : "id IN (\(places))")
        }
        if filter.onlyResults { conditions.append("phase = 'finished'") }
        if filter.onlyOpen { conditions.append("phase NOT IN ('finished', 'abandoned')") }
        let sql = """
            SELECT \(Self.summaryColumns) FROM scoreMatch WHERE \(conditions.joined(separator: " AND "))
            ORDER BY number DESC LIMIT ?2
            """
        let rows = try await database.read { [arguments] db in
            var rows = try db.rows(sql, arguments) { try MatchSummary($0) }
            try Self.addNames(to: &rows, db)
            return rows
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// Reads the matches of a filter in pages of the largest size, without those of channels that are not shown.
    package func pages(_ filter: MatchFilter, isShown: @escaping @Sendable (_ channel: String) -> Bool) -> MatchPages {
        { cursor in
            let page = try await self.matches(filter, after: cursor, limit: ListLimits.maximumSize)
            return (page.items.filter { isShown($0.channel) }, page.next)
        }
    }

    private static let summaryColumns =
        """
        number, id, channel, ruleName, CASE WHEN ruleName IS NULL THEN rules END AS rules, phase, winner, score,
        competition, createdAt, startedAt, endedAt
        """

    private static func addNames(to rows: inout [MatchSummary], _ db: any SQLConnection) throws {
        guard !rows.isEmpty else { return }
        let places = rows.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let entrants = try db.rows(
            """
            SELECT match, side, player, person FROM scoreEntrant WHERE match IN (\(places))
            ORDER BY match, side, position
            """, rows.map { .text($0.id.text) }
        ) { row in
            (
                match: try row.value("match") as String, side: MatchSide(rawValue: try row.value("side")),
                entrant: MatchSetup.Entrant(player: nil, person: try row.value("person"))
            )
        }
        for index in rows.indices {
            for found in entrants where found.match == rows[index].id.text {
                guard let side = found.side, let entrant = found.entrant else { continue }
                rows[index].names[side].append(entrant.name)
                if let country = entrant.country { rows[index].countries[side].append(country) }
            }
        }
    }

    /// Deletes a match and its result.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func removeMatch(_ id: OpaqueID) async throws {
        let count = try await database.write { db in
            try db.execute("DELETE FROM scoreMatch WHERE id = ?1", .text(id.text))
        }
        forget(id)
        guard count > 0 else { throw Self.unknownMatch }
    }

    package static let unknownMatch = Refusal(.notFound, "there is no such match")

    /// Reads a match, with its log from memory if that is complete.
    func load(_ id: OpaqueID, _ db: any SQLConnection, locks: Bool = false) throws -> ScoreMatch {
        let lock = locks ? db.dialect.rowLock : ""
        let found = try db.first(
            """
            SELECT channel, rules, setup, lastSequence, entrantsRevision, createdAt FROM scoreMatch
            WHERE id = ?1\(lock)
            """, [.text(id.text)]
        ) { row in
            (
                channel: try row.value("channel") as String, rules: try row.value("rules") as String,
                setup: try row.value("setup") as String, lastSequence: try row.value("lastSequence") as Int64,
                entrantsRevision: try row.value("entrantsRevision") as Int64, createdAt: try row.time("createdAt")
            )
        }
        guard let found else { throw Self.unknownMatch }
        if let known = cache.withLock({ $0[id] }), known.log.lastSequence == found.lastSequence,
            known.entrantsRevision == found.entrantsRevision
        {
            return known
        }
        let entrants = try db.rows(
            "SELECT side, player, person FROM scoreEntrant WHERE match = ?1 ORDER BY side, position", [.text(id.text)]
        ) { row in
            (
                side: MatchSide(rawValue: try row.value("side")) ?? .a,
                entrant: MatchSetup.Entrant(player: try row.optional("player"), person: try row.value("person"))
            )
        }
        let sides = SidePair(
            entrants.filter { $0.side == .a }.compactMap(\.entrant),
            entrants.filter { $0.side == .b }.compactMap(\.entrant))
        guard
            let setup = MatchSetup(
                channel: found.channel, rulesText: found.rules, setup: found.setup, sides: sides)
        else { throw Refusal(.unavailable, "the set-up of this match is damaged") }
        var match = ScoreMatch(
            id: id, setup: setup, createdAt: found.createdAt,
            log: MatchLog(setup.beginning, entries: try Self.entries(of: id, db)))
        match.entrantsRevision = found.entrantsRevision
        return match
    }
}

extension CivilDate {
    /// The beginning of the day in UTC.
    fileprivate var millisecondsSince1970: Int64 { daysSince1970 * 86_400_000 }
    fileprivate var nextDay: CivilDate { CivilDate(daysSince1970: daysSince1970 + 1) }
}

extension MatchSummary {
    fileprivate init(_ row: SQLRow) throws {
        // Matches of earlier versions have the text only.
        let text: String? = try row.optional("rules")
        let rules: String? = try row.optional("ruleName") ?? text.flatMap(MatchRuleFiles.id)
        self.init(
            id: try row.value("id"), number: try row.value("number"), channel: try row.value("channel"),
            rules: rules ?? "",
            phase: MatchState.Phase(rawValue: try row.value("phase")) ?? .abandoned,
            winner: (try row.optional("winner") as String?).flatMap(MatchSide.init),
            scoreText: try row.value("score"), names: SidePair(both: []), countries: SidePair(both: []),
            competition: try row.optional("competition") ?? "", createdAt: try row.time("createdAt"),
            startedAt: try row.optionalTime("startedAt"), endedAt: try row.optionalTime("endedAt"))
    }
}
