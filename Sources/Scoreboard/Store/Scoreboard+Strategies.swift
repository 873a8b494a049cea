package import Accounts
import Database
package import MediaCore

/// Drawings of members.
extension Scoreboard {
    /// A page of a member's drawings, newest first, without their lines.
    ///
    /// - Throws: `Refusal` with `invalidCursor`.
    package func strategies(
        of owner: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<Strategy> {
        let size = ListPage<Strategy>.size(limit)
        let start = try ListCursor.start(cursor)
        let rows = try await database.read { db in
            try db.rows(
                """
                SELECT \(ScoreboardSchema.strategies.columnList(without: "strokes")) FROM scoreStrategy
                WHERE owner = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3
                """, [.text(owner.text), .integer(start), SQLValue(size + 1)]
            ) { try Strategy($0) }
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// A drawing of a member, with its lines.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func strategy(
        _ id: OpaqueID, of owner: UserID
    ) async throws -> (strategy: Strategy, drawing: StrategyDrawing) {
        try await database.read { db in try Self.strategy(id, of: owner, db) }
    }

    private static func strategy(
        _ id: OpaqueID, of owner: UserID, _ db: any SQLConnection, locks: Bool = false
    ) throws -> (strategy: Strategy, drawing: StrategyDrawing) {
        let lock = locks ? db.dialect.rowLock : ""
        let found = try db.first(
            "SELECT \(ScoreboardSchema.strategies.columnList) FROM scoreStrategy WHERE id = ?1 AND owner = ?2\(lock)",
            [.text(id.text), .text(owner.text)]
        ) { row in
            (
                strategy: try Strategy(row),
                drawing: StrategyDrawing(court: try row.value("court"), text: try row.value("strokes"))
            )
        }
        guard let found else { throw Refusal(.notFound, "there is no such drawing") }
        return found
    }

    private static func strategyName(_ text: String?) throws(Refusal) -> String {
        let limit = Strategy.maximumNameLength
        let name = UntrustedText.stripped(text ?? "", maximumCharacterCount: limit + 1)
        guard !name.allSatisfy(\.isWhitespace) else { throw Refusal.missing(["name"]) }
        guard name.unicodeScalars.count <= limit else {
            throw Refusal(.invalidField, "the field `name` is limited to \(limit) characters", fields: ["name"])
        }
        return name
    }

    /// Saves a new drawing.
    ///
    /// - Throws: `Refusal` with `missingFields`, `invalidField` or `tooMany`.
    package func createStrategy(
        _ new: Strategy.Change, of owner: UserID
    ) async throws -> (strategy: Strategy, drawing: StrategyDrawing) {
        let name = try Self.strategyName(new.name)
        let drawing = try StrategyDrawing(new.court ?? .plain, new.strokes ?? [])
        let (id, now) = (OpaqueID(), now)
        return try await database.write { db in
            let count: Int64 =
                try db.firstValue("SELECT COUNT(*) FROM scoreStrategy WHERE owner = ?1", .text(owner.text)) ?? 0
            guard count < Strategy.maximumCount else {
                throw Refusal(
                    .tooMany, "a member can save \(Strategy.maximumCount) drawings; delete some first")
            }
            try db.insert(
                [
                    "id": .text(id.text), "owner": .text(owner.text), "name": .text(name),
                    "court": .text(drawing.court.rawValue), "strokes": .text(drawing.text),
                    "strokeCount": SQLValue(drawing.strokes.count), "createdAt": .time(now), "changedAt": .time(now),
                    "revision": .integer(1),
                ], into: ScoreboardSchema.strategies)
            return try Self.strategy(id, of: owner, db)
        }
    }

    /// Changes a drawing.
    ///
    /// - Parameters:
    ///   - id: the drawing.
    ///   - owner: the member whose drawing it has to be.
    ///   - change: the members that change.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    /// - Throws: `Refusal` with `notFound`, `missingFields`, `invalidField` or `changedMeanwhile`.
    package func changeStrategy(
        _ id: OpaqueID, of owner: UserID, from revisions: Set<Int64>?, _ change: Strategy.Change
    ) async throws -> (strategy: Strategy, drawing: StrategyDrawing) {
        let now = now
        return try await database.write { db in
            let (known, old) = try Self.strategy(id, of: owner, db, locks: true)
            guard revisions?.contains(known.revision) ?? true else { throw Refusal.changedMeanwhile("it") }
            let name = try change.name.map { try Self.strategyName($0) } ?? known.name
            let drawing = try StrategyDrawing(change.court ?? old.court, change.strokes ?? old.strokes)
            try db.execute(
                """
                UPDATE scoreStrategy SET name = ?2, court = ?3, strokes = ?4, strokeCount = ?5, changedAt = ?6,
                    revision = revision + 1 WHERE id = ?1
                """, .text(id.text), .text(name), .text(drawing.court.rawValue), .text(drawing.text),
                SQLValue(drawing.strokes.count), .time(now))
            return try Self.strategy(id, of: owner, db)
        }
    }

    /// - Throws: `Refusal` with `notFound`.
    package func removeStrategy(_ id: OpaqueID, of owner: UserID) async throws {
        let count = try await database.write { db in
            try db.execute(
                "DELETE FROM scoreStrategy WHERE id = ?1 AND owner = ?2", .text(id.text), .text(owner.text))
        }
        guard count > 0 else { throw Refusal(.notFound, "there is no such drawing") }
    }

    // MARK: The display of a channel

    /// The time after which a drawing leaves a display by itself, counted from its last change: a tablet whose battery
    /// is empty hides nothing.
    package static let maximumDisplayTime = Duration.seconds(1_800)

    /// The drawing that the board of a channel shows; `nil` for none.
    package func shownDrawing(onChannel channel: String) async throws -> StrategyDrawing? {
        let earliest = now - Self.maximumDisplayTime
        return try await database.read { db in
            try db.first(
                "SELECT court, strokes FROM scoreDisplay WHERE channel = ?1 AND shownAt > ?2",
                [.text(channel), .time(earliest)]
            ) { StrategyDrawing(court: try $0.value("court"), text: try $0.value("strokes")) }
        }
    }

    /// Shows a drawing on the board of a channel, in place of another one.
    package func show(_ drawing: StrategyDrawing, onChannel channel: String) async throws {
        let now = now
        try await database.write { db in
            try db.execute(
                """
                INSERT INTO scoreDisplay(channel, court, strokes, shownAt) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (channel) DO UPDATE SET court = excluded.court, strokes = excluded.strokes,
                    shownAt = excluded.shownAt
                """, .text(channel), .text(drawing.court.rawValue), .text(drawing.text), .time(now))
            try self.tell(ofDrawingOn: channel, db)
        }
    }

    /// Hides the drawing of a channel; does nothing if there is none.
    package func hideDrawing(onChannel channel: String) async throws {
        try await database.write { db in
            let count = try db.execute("DELETE FROM scoreDisplay WHERE channel = ?1", .text(channel))
            if count > 0 { try self.tell(ofDrawingOn: channel, db) }
        }
    }
}

extension Strategy {
    fileprivate init(_ row: SQLRow) throws {
        let strokeCount: Int64 = try row.value("strokeCount")
        self.init(
            id: try row.value("id"), number: try row.value("number"), name: try row.value("name"),
            court: StrategyCourt(rawValue: try row.value("court")) ?? .plain, strokeCount: Int(clamping: strokeCount),
            changedAt: try row.time("changedAt"), revision: try row.value("revision"))
    }
}
