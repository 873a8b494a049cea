import Accounts
import Catalogue
import Database
import MediaCore

/// The rows of rentals. Each function runs inside the transaction of its caller.
enum RentalRows {
    private static let columns = """
        \(ClubSchema.rentals.columnList(of: "rental", without: "requestKey")),
        \(TitleRows.duration(ofNumber: "rental.titleNumber")) AS titleDuration
        """

    private static let account = JoinedAccount()

    // MARK: Reading

    static func rental(_ id: OpaqueID, _ db: any SQLConnection) throws -> Rental? {
        try db.first("SELECT \(columns) FROM rental WHERE id = ?1", [.text(id.text)]) { try Rental($0) }
    }

    /// The rental that was made with a key; `nil` if there is none.
    static func rental(with key: RequestKey, _ db: any SQLConnection) throws -> Rental? {
        try db.first("SELECT \(columns) FROM rental WHERE requestKey = ?1", [.text(key.digest)]) { try Rental($0) }
    }

    /// The last rental of a title by a member; `nil` if there is none.
    static func last(of user: UserID, title: Int64, _ db: any SQLConnection) throws -> Rental? {
        try db.first(
            """
            SELECT \(columns) FROM rental WHERE userID = ?1 AND titleNumber = ?2 ORDER BY number DESC LIMIT 1
            """, [.text(user.text), .integer(title)]
        ) { try Rental($0) }
    }

    /// A member's rentals, newest first.
    ///
    /// - Throws: `Refusal` with `invalidCursor`.
    static func page(
        of user: UserID, after cursor: String?, size: Int, _ db: any SQLConnection
    ) throws -> ListPage<Rental> {
        let start = try ListCursor.start(cursor)
        let rows = try db.rows(
            "SELECT \(columns) FROM rental WHERE userID = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3",
            [.text(user.text), .integer(start), SQLValue(size + 1)]
        ) { try Rental($0) }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// The rentals that ended before their time, and those of accounts that have gone or are suspended: the holders
    /// of their addresses may no longer watch.
    ///
    /// - Parameter timeAfterEnd: the time for which somebody may go on after the end of a rental.
    static func endedEarly(
        at now: WallClockTime, timeAfterEnd: Duration, _ db: any SQLConnection
    ) throws -> Set<String> {
        Set(
            try db.rows(
                """
                SELECT id FROM rental
                    WHERE endedAt IS NOT NULL AND endsAt > ?1 AND (endReason <> 'expired' OR userID IS NULL)
                UNION ALL SELECT id FROM rental WHERE endedAt IS NULL AND endsAt > ?1 AND userID IS NULL
                UNION ALL SELECT rental.id FROM rental \(account.join("rental.userID"))
                    WHERE \(account.isSuspended(at: "?2")) AND rental.endsAt > ?1
                """, [.time(now - timeAfterEnd), .time(now)]
            ) { row in try row.value(0) as String })
    }

    /// Rentals that are watched and about to end, in the order of their ends; see `VideoClub`.
    static func ending(
        within time: Duration, after last: Rental?, at now: WallClockTime, limit: Int, _ db: any SQLConnection
    ) throws -> [Rental] {
        try db.rows(
            """
            SELECT \(columns) FROM rental
            WHERE endedAt IS NULL AND endsAt > ?1 AND endsAt <= ?2 AND userID IS NOT NULL
                AND (endsAt, rental.number) > (?3, ?4) AND endsAt - timeToPlay / 4 <= ?1
            ORDER BY endsAt, rental.number LIMIT ?5
            """,
            [
                .time(now), .time(now + time), .time(last?.endsAt ?? now), .integer(last?.number ?? 0),
                SQLValue(limit),
            ]
        ) { try Rental($0) }
    }

    /// Number of rentals whose time is not over, by state.
    static func openCounts(at now: WallClockTime, _ db: any SQLConnection) throws -> [RentalState: Int64] {
        [
            .rented: try db.firstValue(
                """
                SELECT (SELECT COUNT(*) FROM rental WHERE endedAt IS NULL AND activatedAt IS NULL AND startsBefore > ?1)
                    + (SELECT COUNT(*) FROM rental
                        WHERE endedAt IS NULL AND activatedAt IS NULL AND startsBefore IS NULL)
                """, .time(now)) ?? 0,
            .activated: try db.firstValue(
                "SELECT COUNT(*) FROM rental WHERE endedAt IS NULL AND endsAt > ?1", .time(now)) ?? 0,
        ]
    }

    // MARK: Writing

    static func insert(_ rental: Rental, key: RequestKey?, _ db: any SQLConnection) throws {
        try db.insert(
            [
                "id": .text(rental.id.text), "userID": SQLValue(rental.user?.text),
                "titleNumber": .integer(rental.titleNumber), "titleID": .text(rental.titleID),
                "titleName": .text(rental.titleName), "price": .integer(rental.price),
                "requestKey": SQLValue(key?.digest), "rentedAt": .time(rental.rentedAt),
                "startsBefore": .time(rental.startsBefore),
                "timeToPlay": .integer(rental.timeToPlay.wholeMilliseconds),
            ], into: ClubSchema.rentals)
    }

    /// Begins the time of a rental, unless it has begun.
    static func activate(
        _ id: OpaqueID, at now: WallClockTime, until end: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE rental SET activatedAt = ?1, endsAt = ?2 WHERE id = ?3 AND activatedAt IS NULL AND endedAt IS NULL",
            .time(now), .time(end), .text(id.text))
    }

    /// Ends a rental. One that another rental has replaced after its time can still be refunded.
    static func end(
        _ id: OpaqueID, _ reason: RentalEnd, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            UPDATE rental SET endedAt = ?1, endReason = ?2
            WHERE id = ?3 AND (endedAt IS NULL OR endReason = '\(RentalEnd.expired.rawValue)')
            """, .time(now), .text(reason.rawValue), .text(id.text))
    }

    /// A rental whose time is not over at `?1`.
    private static let isOpen = """
        (endedAt IS NULL AND (endsAt > ?1 OR (activatedAt IS NULL AND (startsBefore IS NULL OR startsBefore > ?1))))
        """

    /// Number of rentals whose time ended between two times.
    static func expiredCount(
        after start: WallClockTime, until end: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        let (watched, unwatched): (Int64?, Int64?) = (
            try db.firstValue(
                "SELECT COUNT(*) FROM rental WHERE endedAt IS NULL AND endsAt > ?1 AND endsAt <= ?2", .time(start),
                .time(end)),
            try db.firstValue(
                """
                SELECT COUNT(*) FROM rental
                WHERE endedAt IS NULL AND activatedAt IS NULL AND startsBefore > ?1 AND startsBefore <= ?2
                """, .time(start), .time(end))
        )
        return (watched ?? 0) + (unwatched ?? 0)
    }

    /// Rentals whose time is not over and whose title was deleted.
    static func withoutTitle(at now: WallClockTime, limit: Int, _ db: any SQLConnection) throws -> [Rental] {
        try db.rows(
            """
            SELECT \(columns) FROM rental
            WHERE \(isOpen) AND NOT \(TitleRows.exists(number: "rental.titleNumber"))
            ORDER BY rental.number LIMIT ?2
            """, [.time(now), SQLValue(limit)]
        ) { try Rental($0) }
    }
}

extension Rental {
    /// Limit of a title's duration, far beyond any film.
    private static let maximumTitleSeconds: Double = 365 * 86_400

    fileprivate init(_ row: SQLRow) throws {
        let (reason, duration): (String?, Double?) = (try row.optional("endReason"), try row.optional("titleDuration"))
        self.init(
            number: try row.value("number"), id: try row.value("id"), user: try row.optional("userID"),
            titleNumber: try row.value("titleNumber"),
            titleID: try row.value("titleID"), titleName: try row.value("titleName"), price: try row.value("price"),
            rentedAt: try row.time("rentedAt"),
            startsBefore: try row.optionalTime("startsBefore"),
            timeToPlay: .milliseconds(try row.value("timeToPlay") as Int64),
            activatedAt: try row.optionalTime("activatedAt"), endsAt: try row.optionalTime("endsAt"),
            endedAt: try row.optionalTime("endedAt"),
            // A reason of a later version is an end in this one.
            endReason: reason.map { RentalEnd(rawValue: $0) ?? .expired },
            titleDuration: duration.map { .seconds(min(max($0, 0), Self.maximumTitleSeconds)) })
    }
}
