package import Accounts
package import Database
package import MediaCore

/// The places up to which members have watched and heard things, so that another device can go on there. Whether a
/// member may watch something is for the caller of this to ask.
///
/// Calls throw `Refusal` with a sentence for the person who asked, and `SQLError` if the database does not answer.
package final class Positions: Sendable {
    private let database: any SQLDatabase
    private let wallClock: WallClock

    private init(_ database: any SQLDatabase, _ wallClock: WallClock) {
        (self.database, self.wallClock) = (database, wallClock)
    }

    /// - Parameters:
    ///   - database: the database of the accounts, which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the time.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, wallClock: WallClock = .system
    ) async throws -> Positions {
        try await SQLMigrator(PositionSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Positions(database, wallClock)
    }

    /// Notes where a member is. The write that arrives last counts, whatever the clocks of devices say. One before
    /// ``PlaybackPosition/least`` takes the position away, because it is the beginning.
    ///
    /// - Returns: the position; `nil` if it was taken away.
    /// - Throws: `Refusal` with `invalidField`.
    @discardableResult package func write(
        _ position: Duration, of duration: Duration, _ kind: PlaybackPosition.Kind, _ item: String, by user: UserID
    ) async throws -> PlaybackPosition? {
        guard item.utf8.count <= PlaybackPosition.maximumItemByteCount else {
            throw Refusal(.notFound, "there is no such \(kind.rawValue)")
        }
        guard duration > .zero, duration <= PlaybackPosition.maximumDuration else {
            let days = PlaybackPosition.maximumDuration.components.seconds / 86_400
            throw Refusal(
                .invalidField, "the field `duration` must be more than 0 and at most \(days) days, in seconds",
                fields: ["duration"])
        }
        guard position >= .zero, position <= duration else {
            throw Refusal(
                .invalidField, "the field `position` must be from 0 to `duration`, in seconds", fields: ["position"])
        }
        let now = wallClock.now()
        return try await database.write { db in
            try db.execute(
                "DELETE FROM position WHERE userID = ?1 AND kind = ?2 AND item = ?3", .text(user.text),
                .text(kind.rawValue), .text(item))
            guard position >= PlaybackPosition.least else { return nil }
            // Another device may have written in between; its row goes, because this write is the later one.
            let number: Int64? = try db.firstValue(
                """
                INSERT INTO position(userID, kind, item, position, duration, writtenAt)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (userID, kind, item) DO UPDATE SET position = excluded.position,
                    duration = excluded.duration, writtenAt = excluded.writtenAt
                RETURNING number
                """, .text(user.text), .text(kind.rawValue), .text(item), .integer(position.wholeMilliseconds),
                .integer(duration.wholeMilliseconds), .time(now))
            try db.execute(
                """
                DELETE FROM position WHERE userID = ?1 AND number <= (
                    SELECT number FROM position WHERE userID = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, .text(user.text), SQLValue(PlaybackPosition.maximumCount))
            return PlaybackPosition(
                number: number ?? 0, kind: kind, item: item, position: position, duration: duration, writtenAt: now)
        }
    }

    /// The position of a member; `nil` if there is none.
    package func position(
        _ kind: PlaybackPosition.Kind, _ item: String, of user: UserID
    ) async throws -> PlaybackPosition? {
        try await database.read { db in
            try db.first(
                "SELECT \(Self.columns) FROM position WHERE userID = ?1 AND kind = ?2 AND item = ?3",
                [.text(user.text), .text(kind.rawValue), .text(item)]
            ) { try PlaybackPosition($0) }
        }
    }

    /// A page of a member's positions, the last written first.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func positions(
        of user: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<PlaybackPosition> {
        let size = ListPage<PlaybackPosition>.size(limit)
        let start = try cursor.map { try ListCursor.number(parsing: $0) } ?? .max
        let rows = try await database.read { db in
            try db.rows(
                "SELECT \(Self.columns) FROM position WHERE userID = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3",
                [.text(user.text), .integer(start), SQLValue(size + 1)]
            ) { try PlaybackPosition($0) }
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// Forgets where a member is; nothing happens if that is not known.
    package func remove(_ kind: PlaybackPosition.Kind, _ item: String, of user: UserID) async throws {
        try await database.write { db in
            _ = try db.execute(
                "DELETE FROM position WHERE userID = ?1 AND kind = ?2 AND item = ?3", .text(user.text),
                .text(kind.rawValue), .text(item))
        }
    }

    /// Forgets positions that have not been written for ``PlaybackPosition/lifetime``.
    @Sendable package func sweep() async throws {
        let limit = wallClock.now() - PlaybackPosition.lifetime
        try await database.write { db in
            _ = try db.execute("DELETE FROM position WHERE writtenAt < ?1", .time(limit))
        }
    }

    private static let columns = PositionSchema.positions.columnList(without: "userID")
}

extension PlaybackPosition {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            number: try row.value("number"), kind: Kind(rawValue: try row.value("kind")) ?? .title,
            item: try row.value("item"), position: .milliseconds(try row.value("position") as Int64),
            duration: .milliseconds(try row.value("duration") as Int64), writtenAt: try row.time("writtenAt"))
    }
}
