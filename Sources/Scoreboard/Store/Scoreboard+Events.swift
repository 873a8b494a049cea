package import Accounts
import Database
package import JSONDocument
import MediaCore

/// Events of matches.
extension Scoreboard {
    /// The greatest age of an event: matches that were kept without a network are delivered later.
    private static let maximumEventAge = Duration.seconds(90 * 86_400)

    /// Adds events to a match, all of them or none.
    ///
    /// - Parameters:
    ///   - events: the events, in order. Those that are known already are not added again.
    ///   - id: the match.
    ///   - expected: the number of the last entry that the sender knows; `nil` adds the events whatever came before.
    ///   - keepsConflicts: whether an event that is not possible any more is kept as a conflict, which changes nothing,
    ///     instead of refusing all of them: for a match that was kept without a network.
    ///   - caller: who enters them.
    /// - Returns: the match after the events.
    /// - Throws: `Refusal` with `notFound`, `invalidField`, `conflict` or `tooMany`; `MatchRace` if the match has
    ///   entries that the sender does not know.
    package func record(
        _ events: [NewMatchEvent], in id: OpaqueID, expecting expected: Int64?, keepsConflicts: Bool = false,
        by caller: Caller
    ) async throws -> ScoreMatch {
        for event in events {
            guard (1...NewMatchEvent.maximumIDLength).contains(event.id.count),
                event.id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else {
                throw Refusal(
                    .invalidField,
                    "the field `id` must have 1 to \(NewMatchEvent.maximumIDLength) printable ASCII characters",
                    fields: ["id"])
            }
        }
        guard Set(events.map(\.id)).count == events.count else {
            throw Refusal(.invalidField, "each event needs an `id` of its own", fields: ["id"])
        }
        guard events.count(where: \.isAmendment) <= NewMatchEvent.maximumAmendmentCount else {
            throw Refusal(
                .invalidField,
                "a request is limited to \(NewMatchEvent.maximumAmendmentCount) amendments and undo events",
                fields: ["events"])
        }
        let (now, author) = (now, caller.principal.member?.id)
        let (match, added) = try await database.write { db in
            var match = try self.load(id, db, locks: true)
            var added: [MatchEntry] = []
            let known = try Self.known(events, of: id, db)
            let fresh = events.filter { known[$0.id] == nil }
            guard !fresh.isEmpty else { return (match, added) }
            if let expected {
                // A delivery that is repeated with more at its end expects what it has delivered.
                let own = known.values.count { $0 > expected }
                guard expected + Int64(own) == match.log.lastSequence else {
                    throw MatchRace(entries: match.log.entries.filter { $0.sequence > expected }, match: match)
                }
            }
            guard match.log.entries.count + fresh.count <= MatchLog.maximumEntryCount else {
                throw Refusal(.tooMany, "a match is limited to \(MatchLog.maximumEntryCount) events")
            }
            for event in fresh {
                let content = try Self.content(event, of: match, db)
                let entry = try Self.add(content, event.time, to: &match, keepsConflicts: keepsConflicts, now: now)
                added.append(entry)
                try db.insert(
                    [
                        "match": .text(id.text), "sequence": .integer(entry.sequence), "id": .text(event.id),
                        "content": .text(entry.content.json.rendered), "happenedAt": .time(entry.time),
                        "receivedAt": .time(now), "author": SQLValue(author?.text),
                    ], into: ScoreboardSchema.events)
            }
            let (state, tally) = (match.state, match.tally)
            try db.execute(
                """
                UPDATE scoreMatch SET phase = ?2, lastSequence = ?3, winner = ?4, score = ?5, startedAt = ?6,
                    endedAt = ?7, gamesA = ?8, gamesB = ?9, pointsA = ?10, pointsB = ?11 WHERE id = ?1
                """, .text(id.text), .text(state.phase.rawValue), .integer(match.log.lastSequence),
                SQLValue(state.winner?.rawValue), .text(match.scoreText), .time(state.startedAt), .time(state.endedAt),
                SQLValue(tally.games.a), SQLValue(tally.games.b), SQLValue(tally.points.a), SQLValue(tally.points.b))
            try self.tell(match, db)
            return (match, added)
        }
        remember(match)
        tell(match, of: added)
        return match
    }

    private static func known(
        _ events: [NewMatchEvent], of id: OpaqueID, _ db: any SQLConnection
    ) throws -> [String: Int64] {
        var known: [String: Int64] = [:]
        if events.count == 1, let event = events.first {
            known[event.id] = try db.firstValue(
                "SELECT sequence FROM scoreEvent WHERE match = ?1 AND id = ?2", .text(id.text), .text(event.id))
            return known
        }
        let wanted = Set(events.map(\.id))
        let all = try db.rows("SELECT id, sequence FROM scoreEvent WHERE match = ?1", [.text(id.text)]) { row in
            (id: try row.value("id") as String, sequence: try row.value("sequence") as Int64)
        }
        for event in all where wanted.contains(event.id) { known[event.id] = event.sequence }
        return known
    }

    /// The content of an event as it is stored, with the number of the entry that it amends.
    private static func content(
        _ event: NewMatchEvent, of match: ScoreMatch, _ db: any SQLConnection
    ) throws -> MatchEntry.Content {
        switch event.content {
        case .action(let action): return .action(action)
        case .amendment(let sequence, let action): return .amendment(of: sequence, action)
        case .amendmentOfEvent(let id, let action):
            let sequence: Int64? = try db.firstValue(
                "SELECT sequence FROM scoreEvent WHERE match = ?1 AND id = ?2", .text(match.id.text), .text(id))
            // No entry has the number 0, so that the log refuses it.
            return .amendment(of: sequence ?? 0, action)
        case .undo:
            guard let last = match.log.undoable else {
                throw Refusal(.conflict, "there is nothing to undo")
            }
            return .amendment(of: last.sequence, nil)
        }
    }

    private static func add(
        _ content: MatchEntry.Content, _ happenedAt: WallClockTime?, to match: inout ScoreMatch, keepsConflicts: Bool,
        now: WallClockTime
    ) throws -> MatchEntry {
        // Nothing has happened in the future, whatever a tablet's clock says.
        let time = min(max(happenedAt ?? now, now - maximumEventAge), now)
        do {
            try match.log.append(content, at: time)
        } catch {
            guard keepsConflicts, case .action = content else {
                throw Refusal(.conflict, error.text, fields: [error.reason.rawValue])
            }
            match.log.restore(MatchEntry(sequence: match.log.lastSequence + 1, content, at: time))
        }
        return MatchEntry(sequence: match.log.lastSequence, content, at: time)
    }

    /// Limit of ``entries(by:)``.
    private static let maximumOwnCount = 10_000

    /// The newest entries that a member has made, oldest first, with their matches.
    package func entries(by author: UserID) async throws -> [(match: OpaqueID, entry: MatchEntry)] {
        let found = try await database.read { db in
            try db.rows(
                """
                SELECT match, sequence, content, happenedAt FROM scoreEvent WHERE author = ?1
                ORDER BY receivedAt DESC, match, sequence DESC LIMIT ?2
                """, [.text(author.text), SQLValue(Self.maximumOwnCount)]
            ) { row in (match: try row.value("match") as OpaqueID, entry: try Self.entry(row)) }
        }
        return found.reversed()
    }

    static func entries(of id: OpaqueID, _ db: any SQLConnection) throws -> [MatchEntry] {
        try db.rows(
            "SELECT sequence, content, happenedAt FROM scoreEvent WHERE match = ?1 ORDER BY sequence", [.text(id.text)]
        ) { try entry($0) }
    }

    private static func entry(_ row: SQLRow) throws -> MatchEntry {
        let text: String = try row.value("content")
        return MatchEntry(
            sequence: try row.value("sequence"),
            (try? MatchEntry.Content(JSONParser.parse(text.utf8))) ?? .action(.note("damaged")),
            at: try row.time("happenedAt"))
    }
}

extension MatchEntry.Content {
    package var json: JSONText {
        switch self {
        case .action(let action): action.json
        case .amendment(let sequence, let action):
            .object([
                ("type", .string("amend")), ("sequence", .integer(Int(clamping: sequence))),
                ("event", action?.json ?? .null),
            ])
        }
    }

    init(_ node: JSONNode) throws(MatchAction.Damage) {
        guard node["type"]?.string == "amend" else {
            self = .action(try MatchAction(node))
            return
        }
        let action = node["event"].flatMap { $0.value == .null ? nil : $0 }
        self = .amendment(
            of: Int64(node["sequence"]?.integer ?? 0),
            try action.map { (node) throws(MatchAction.Damage) in try MatchAction(node) })
    }
}
