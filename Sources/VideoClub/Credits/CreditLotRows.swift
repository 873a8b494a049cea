import Accounts
import Database
import MediaCore

/// The rows of credits that end at a time. Each function runs inside the transaction of its caller, which has locked
/// the account.
///
/// The ledger knows amounts; a lot says which part of a balance ends when. What a movement takes from a lot is a row of
/// its own, and what is left of the lot changes by arithmetic in the same transaction. Credits without an end have no
/// lot: they are what the lots leave of the balance.
enum CreditLotRows {
    // MARK: Reading

    /// The credits of a member that end, the soonest first.
    static func expiring(
        of account: CreditAccount, after now: WallClockTime, _ db: any SQLConnection
    ) throws -> [ExpiringCredits] {
        let integer = db.dialect.name(of: .integer)
        return try db.rows(
            """
            SELECT expiresAt, CAST(SUM(remaining) AS \(integer)) AS amount FROM creditLot
            WHERE account = ?1 AND remaining > 0 AND expiresAt > ?2
            GROUP BY expiresAt ORDER BY expiresAt LIMIT ?3
            """, [.text(account.text), .time(now), SQLValue(ExpiringCredits.maximumCount)]
        ) { row in ExpiringCredits(amount: try row.value("amount"), expiresAt: try row.time("expiresAt")) }
    }

    /// Number of lots of an account of which something is left.
    static func count(of account: CreditAccount, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM creditLot WHERE account = ?1 AND remaining > 0", .text(account.text)) ?? 0
    }

    /// Accounts with credits whose time is over, in the order of their texts.
    ///
    /// - Parameter account: the text of the last account of the page before; empty for the first page.
    static func accountsWithExpired(
        at now: WallClockTime, after account: String, limit: Int, _ db: any SQLConnection
    ) throws -> [String] {
        try db.rows(
            """
            SELECT DISTINCT account FROM creditLot WHERE remaining > 0 AND expiresAt <= ?1 AND account > ?2
            ORDER BY account LIMIT ?3
            """, [.time(now), .text(account), SQLValue(limit)]
        ) { row in try row.value(0) }
    }

    /// The expired credits of a gift, no matter who had them back in between.
    static func expired(ofGift gift: OpaqueID, _ db: any SQLConnection) throws -> Int64 {
        let integer = db.dialect.name(of: .integer)
        return try db.firstValue(
            """
            SELECT CAST(COALESCE(SUM(u.amount), 0) AS \(integer)) FROM creditMovement AS g
            JOIN creditLot AS l ON l.gift = g.number JOIN creditLotUse AS u ON u.lot = l.number
            JOIN creditMovement AS m ON m.number = u.movement
            WHERE g.id = ?1 AND m.reason = ?2
            """, .text(gift.text), .text(CreditReason.expired.rawValue)) ?? 0
    }

    private static func remaining(of account: CreditAccount, _ db: any SQLConnection) throws -> Int64 {
        let integer = db.dialect.name(of: .integer)
        return try db.firstValue(
            """
            SELECT CAST(COALESCE(SUM(remaining), 0) AS \(integer)) FROM creditLot WHERE account = ?1 AND remaining > 0
            """, .text(account.text)) ?? 0
    }

    // MARK: Writing

    /// - Parameters:
    ///   - gift: the number of the movement that gave the credits first.
    ///   - movement: the number of the movement that gives them now: the gift, or a refund.
    static func insert(
        _ amount: Int64, gift: Int64, movement: Int64, account: CreditAccount, expiresAt: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "gift": .integer(gift), "movement": .integer(movement), "account": .text(account.text),
                "expiresAt": .time(expiresAt), "amount": .integer(amount), "remaining": .integer(amount),
            ], into: ClubSchema.lots)
    }

    /// Takes what a rental costs from the credits that end soonest, as far as there are any.
    static func spend(
        _ amount: Int64, by movement: Int64, of account: CreditAccount, _ db: any SQLConnection
    ) throws {
        try take(amount, by: movement, from: "account = ?1", .text(account.text), db)
    }

    /// Takes back credits: those of the gift that is taken back, and of other gifts only what the balance after the
    /// movement leaves no room for.
    ///
    /// - Parameter gift: the ID of the movement that is taken back.
    static func takeBack(
        _ amount: Int64, of gift: OpaqueID, by movement: Int64, of account: CreditAccount, balance: Int64,
        _ db: any SQLConnection
    ) throws {
        try take(
            amount, by: movement, from: "gift = (SELECT number FROM creditMovement WHERE id = ?1)", .text(gift.text),
            db)
        try take(
            try remaining(of: account, db) - balance, by: movement, from: "account = ?1", .text(account.text), db)
    }

    /// - Parameters:
    ///   - condition: chooses the lots by the argument `?1`.
    private static func take(
        _ amount: Int64, by movement: Int64, from condition: String, _ argument: SQLValue, _ db: any SQLConnection
    ) throws {
        var rest = amount
        while rest > 0 {
            let lot = try db.first(
                """
                SELECT number, remaining FROM creditLot WHERE \(condition) AND remaining > 0
                ORDER BY expiresAt, number LIMIT 1
                """, [argument]
            ) { row in (number: try row.value("number") as Int64, remaining: try row.value("remaining") as Int64) }
            guard let lot else { return }
            let taken = min(rest, lot.remaining)
            try db.insert(
                ["movement": .integer(movement), "lot": .integer(lot.number), "amount": .integer(taken)],
                into: ClubSchema.lotUses,
                "ON CONFLICT (movement, lot) DO UPDATE SET amount = creditLotUse.amount + excluded.amount")
            try db.execute(
                "UPDATE creditLot SET remaining = remaining - ?1 WHERE number = ?2", .integer(taken),
                .integer(lot.number))
            rest -= taken
        }
    }

    /// The credits of an account whose time is over.
    static func expired(
        of account: CreditAccount, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        let integer = db.dialect.name(of: .integer)
        return try db.firstValue(
            """
            SELECT CAST(COALESCE(SUM(remaining), 0) AS \(integer)) FROM creditLot
            WHERE account = ?1 AND remaining > 0 AND expiresAt <= ?2
            """, .text(account.text), .time(now)) ?? 0
    }

    /// Empties the lots of an account whose time is over.
    static func expire(
        of account: CreditAccount, by movement: Int64, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        let expired = "account = ?1 AND remaining > 0 AND expiresAt <= ?2"
        try db.execute(
            """
            INSERT INTO creditLotUse(movement, lot, amount)
            SELECT CAST(?3 AS \(db.dialect.name(of: .integer))), number, remaining FROM creditLot WHERE \(expired)
            """, .text(account.text), .time(now), .integer(movement))
        try db.execute("UPDATE creditLot SET remaining = 0 WHERE \(expired)", .text(account.text), .time(now))
    }

    /// Gives back to an account what a payment has taken from its lots, with the ends that it had, and at least
    /// ``ExpiringCredits/minimumLifeAfterRefund``.
    ///
    /// - Parameter paid: the ID of the movement that paid.
    static func giveBack(
        _ paid: OpaqueID, by movement: Int64, to account: CreditAccount, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        let soonest = now + ExpiringCredits.minimumLifeAfterRefund
        let parts = try db.rows(
            """
            SELECT l.gift, l.expiresAt, u.amount FROM creditMovement AS m
            JOIN creditLotUse AS u ON u.movement = m.number JOIN creditLot AS l ON l.number = u.lot
            WHERE m.id = ?1 ORDER BY l.expiresAt, l.number
            """, [.text(paid.text)]
        ) { row in
            (
                gift: try row.value("gift") as Int64, end: try row.time("expiresAt"),
                amount: try row.value("amount") as Int64
            )
        }
        for part in parts {
            try insert(
                part.amount, gift: part.gift, movement: movement, account: account, expiresAt: max(part.end, soonest),
                db)
        }
    }
}
