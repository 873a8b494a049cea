import Accounts
import Database
import MediaCore

/// The rows of the ledger, which are only ever added. Each function runs inside the transaction of its caller.
///
/// A movement has two lines that sum to zero. A member's lines are numbered and carry the balance after them; the
/// number comes from a counter whose row a transaction locks first, so that movements of one member happen one after
/// the other.
enum LedgerRows {
    /// Removes the notes of the movements of an account.
    static func forgetNotes(of account: CreditAccount, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE creditMovement SET note = '' WHERE note <> ''
                AND number IN (SELECT movement FROM creditLine WHERE account = ?1)
            """, .text(account.text))
    }

    /// Credits of an account; 0 if it has never had any.
    static func balance(of account: CreditAccount, _ db: any SQLConnection) throws -> Int64 {
        guard account.hasBalance else {
            return try db.firstValue(
                "SELECT CAST(COALESCE(SUM(amount), 0) AS \(db.dialect.name(of: .integer))) FROM creditLine WHERE account = ?1",
                .text(account.text)) ?? 0
        }
        return try db.firstValue(
            "SELECT balance FROM creditLine WHERE account = ?1 ORDER BY position DESC LIMIT 1", .text(account.text))
            ?? 0
    }

    // MARK: Writing

    /// Locks an account until the end of the transaction, unless it has never had any credits.
    static func lock(_ account: CreditAccount, _ db: any SQLConnection) throws {
        _ = try db.exists(
            "SELECT 1 FROM creditAccount WHERE account = ?1\(db.dialect.rowLock)", .text(account.text))
    }

    /// Ends the credits of an account whose time is over, with a movement of its own.
    ///
    /// - Returns: the credits.
    @discardableResult static func expire(
        _ account: CreditAccount, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try lock(account, db)
        let amount = try CreditLotRows.expired(of: account, at: now, db)
        guard amount > 0 else { return 0 }
        let movement = NewMovement(
            reason: .expired, source: account, target: .gifts, amount: amount, happenedAt: now)
        try CreditLotRows.expire(of: account, by: try insert(movement, OpaqueID(), db).number, at: now, db)
        return amount
    }

    /// Writes a movement with its two lines, and what becomes of credits that end. Those whose time is over are ended
    /// before something is paid.
    ///
    /// - Throws: `Refusal` with `notEnoughCredits` or `invalidField`; then the transaction must not be committed.
    static func append(_ movement: NewMovement, _ db: any SQLConnection) throws -> OpaqueID {
        let (id, source, now) = (OpaqueID(), movement.source, movement.happenedAt)
        if source.hasBalance, movement.endsGifts { try expire(source, at: now, db) }
        let (number, balance) = try insert(movement, id, db)
        switch movement.reason {
        case .rental: try CreditLotRows.spend(movement.amount, by: number, of: source, db)
        case .reversal:
            guard let given = movement.reverses, let balance else { break }
            try CreditLotRows.takeBack(
                movement.amount, of: given, by: number, of: source, balance: balance, db)
        case .refund:
            guard let paid = movement.reverses else { break }
            try CreditLotRows.giveBack(paid, by: number, to: movement.target, at: now, db)
        case .topUp, .payment, .gift, .expired: break
        }
        if let end = movement.expiresAt {
            try CreditLotRows.insert(
                movement.amount, gift: number, movement: number, account: movement.target, expiresAt: end, db)
        }
        return id
    }

    /// - Returns: the movement's number, and the balance after it of the account that the credits leave, if that has
    ///   one.
    private static func insert(
        _ movement: NewMovement, _ id: OpaqueID, _ db: any SQLConnection
    ) throws -> (number: Int64, balance: Int64?) {
        let number: Int64? = try db.firstValue(
            """
            INSERT INTO creditMovement(id, reason, actorID, requestKey, note, rentalID, reverses, happenedAt)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING number
            """, .text(id.text), .text(movement.reason.rawValue), SQLValue(movement.actor?.text),
            SQLValue(movement.key?.digest), .text(movement.note), SQLValue(movement.rental?.text),
            SQLValue(movement.reverses?.text), .time(movement.happenedAt))
        guard let number else { throw SQLError(.failed, "an inserted row has no number") }
        let balance = try appendLine(of: number, movement.source, -movement.amount, db)
        _ = try appendLine(of: number, movement.target, movement.amount, db)
        return (number, balance)
    }

    /// - Returns: the balance after the line; `nil` for an account without one.
    private static func appendLine(
        of movement: Int64, _ account: CreditAccount, _ amount: Int64, _ db: any SQLConnection
    ) throws -> Int64? {
        var (position, balance): (Int64?, Int64?)
        if account.hasBalance {
            let last = try nextPosition(of: account, db)
            position = last.position
            let (sum, overflow) = last.balance.addingReportingOverflow(amount)
            guard !overflow, sum <= CreditMovement.maximumBalance else {
                throw Refusal(
                    .invalidField, "an account holds at most \(CreditMovement.maximumBalance) credits", field: "amount")
            }
            guard sum >= 0 else { throw Refusal.notEnough(price: -amount, balance: last.balance) }
            balance = sum
        }
        try db.insert(
            [
                "movement": .integer(movement), "account": .text(account.text), "amount": .integer(amount),
                "position": SQLValue(position), "balance": SQLValue(balance),
            ], into: ClubSchema.lines)
        return balance
    }

    /// Locks an account, and gives the position of its next line and the balance before that.
    private static func nextPosition(
        of account: CreditAccount, _ db: any SQLConnection
    ) throws -> (position: Int64, balance: Int64) {
        let position: Int64? = try db.firstValue(
            """
            INSERT INTO creditAccount(account, lineCount) VALUES (?1, 1)
            ON CONFLICT (account) DO UPDATE SET lineCount = creditAccount.lineCount + 1 RETURNING lineCount
            """, .text(account.text))
        guard let position else { throw SQLError(.failed, "an inserted row has no number") }
        guard position > 1 else { return (position, 0) }
        let balance: Int64? = try db.firstValue(
            "SELECT balance FROM creditLine WHERE account = ?1 AND position = ?2", .text(account.text),
            .integer(position - 1))
        guard let balance else {
            throw SQLError(
                .damaged,
                "the ledger has no line \(position - 1) of the account \(account.text); run `antena credits check`")
        }
        return (position, balance)
    }

    // MARK: Reading

    private static let columns = """
        \(ClubSchema.movements.columnList(of: "m", without: "number", "requestKey")), l.amount, l.balance, l.position,
        (SELECT MIN(c.expiresAt) FROM creditLot AS c WHERE c.movement = m.number) AS expiresAt
        """

    /// A member's movements, newest first.
    ///
    /// - Throws: `Refusal` with `invalidCursor`.
    static func page(
        of user: UserID, after cursor: String?, size: Int, _ db: any SQLConnection
    ) throws -> ListPage<CreditMovement> {
        let start = try ListCursor.start(cursor)
        let rows = try db.rows(
            """
            SELECT \(columns) FROM creditLine AS l JOIN creditMovement AS m ON m.number = l.movement
            WHERE l.account = ?1 AND l.position < ?2 ORDER BY l.position DESC LIMIT ?3
            """, [.text(CreditAccount.member(user).text), .integer(start), SQLValue(size + 1)]
        ) { try CreditMovement($0) }
        return ListPage(rows, size: size) { ListCursor(number: $0.position).text }
    }

    /// A movement with the member's line; `nil` if there is none.
    static func movement(
        _ id: OpaqueID, _ db: any SQLConnection
    ) throws -> (user: UserID, movement: CreditMovement)? {
        try member(of: "m.id = ?1", .text(id.text), db)
    }

    /// The movement that was written with a key; `nil` if there is none.
    static func movement(
        with key: RequestKey, _ db: any SQLConnection
    ) throws -> (user: UserID, movement: CreditMovement)? {
        try member(of: "m.requestKey = ?1", .text(key.digest), db)
    }

    private static func member(
        of condition: String, _ argument: SQLValue, _ db: any SQLConnection
    ) throws -> (user: UserID, movement: CreditMovement)? {
        let found = try db.first(
            """
            SELECT \(columns), l.account FROM creditMovement AS m JOIN creditLine AS l ON l.movement = m.number
            WHERE \(condition) AND l.position IS NOT NULL
            """, [argument]
        ) { row in (account: try row.value("account") as String, movement: try CreditMovement(row)) }
        guard let found else { return nil }
        guard let user = UserID(parsing: found.account.dropFirst("member/".count)) else {
            throw SQLError(.unexpectedValue, "the ledger has the unknown account \(found.account)")
        }
        return (user, found.movement)
    }

    /// Whether a movement was taken back.
    static func isReversed(_ id: OpaqueID, _ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM creditMovement WHERE reverses = ?1", .text(id.text))
    }
}

extension CreditMovement {
    fileprivate init(_ row: SQLRow) throws {
        let reason: String = try row.value("reason")
        guard let reason = CreditReason(rawValue: reason) else {
            throw SQLError(.unexpectedValue, "the ledger has the unknown reason \(reason)")
        }
        self.init(
            id: try row.value("id"), reason: reason, amount: try row.value("amount"), balance: try row.value("balance"),
            position: try row.value("position"), actor: try row.optional("actorID"), note: try row.value("note"),
            rental: try row.optional("rentalID"), reverses: try row.optional("reverses"),
            happenedAt: try row.time("happenedAt"),
            expiresAt: try row.optionalTime("expiresAt"))
    }
}

extension Refusal {
    static func notEnough(price: Int64, balance: Int64) -> Refusal {
        var refusal = Refusal(
            .notEnoughCredits,
            "this costs \(price) credits, but the account has \(balance); \(price - balance) more are needed")
        refusal.facts = [
            "price": .number(price), "balance": .number(balance), "missing": .number(price - balance),
        ]
        return refusal
    }
}
