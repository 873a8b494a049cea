package import Accounts
import Database
import MediaCore

extension VideoClub {
    /// A member's credits.
    package func balance(of user: UserID) async throws -> Int64 {
        try await database.read { db in try LedgerRows.balance(of: .member(user), db) }
    }

    /// A page of a member's movements, newest first.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Returns: the credits at the same time, and the page.
    /// - Throws: ``ClubError`` with `invalidCursor`.
    package func movements(
        of user: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> (balance: Int64, page: AccountsPage<CreditMovement>) {
        let size = AccountsPage<CreditMovement>.size(limit)
        return try await database.read { db in
            (
                try LedgerRows.balance(of: .member(user), db),
                try LedgerRows.page(of: user, after: cursor, size: size, db)
            )
        }
    }

    /// Gives credits to a member.
    ///
    /// - Parameters:
    ///   - amount: 1 to ``CreditMovement/maximumAmount``.
    ///   - reason: a top-up, a payment or a gift.
    ///   - user: the member.
    ///   - note: a text for both sides.
    ///   - key: marks the request and its repetitions, which give nothing more; `nil` for a request of its own.
    ///   - caller: who gives; whether they may is for the caller of this to ask.
    /// - Throws: ``ClubError`` with `invalidField`, `notFound` or `keyOfAnotherRequest`.
    package func give(
        _ amount: Int64, _ reason: CreditReason, to user: UserID, note: String = "", key: RequestKey?, by caller: Caller
    ) async throws -> CreditMovement {
        guard (1...CreditMovement.maximumAmount).contains(amount) else {
            throw ClubError(
                .invalidField, "an amount is 1 to \(CreditMovement.maximumAmount) credits", field: "amount")
        }
        guard let source = reason.counterpart, source != .rentals else {
            throw ClubError(.invalidField, "credits are given as a top-up, a payment or a gift", field: "reason")
        }
        let movement = NewMovement(
            reason: reason, source: source, target: .member(user), amount: amount,
            actor: caller.principal.member?.id, key: key, note: try Self.checked(note), happenedAt: wallClock.now())
        return try await write { db in
            if let key, let (owner, known) = try LedgerRows.movement(with: key, db) {
                guard owner == user, known.amount == amount, known.reason == reason else { throw ClubError.otherKey }
                return known
            }
            guard try db.exists("SELECT 1 FROM account WHERE id = ?1", .text(user.text)) else {
                throw ClubError(.notFound, "there is no such account")
            }
            return try Self.written(try LedgerRows.append(movement, db), db)
        }
    }

    /// Takes back credits that were given by mistake, with a counter-entry.
    ///
    /// - Parameters:
    ///   - id: the movement.
    ///   - note: a text for both sides.
    ///   - key: marks the request and its repetitions; `nil` for a request of its own.
    ///   - caller: who takes back; whether they may is for the caller of this to ask.
    /// - Returns: the counter-entry.
    /// - Throws: ``ClubError`` with `notFound`, `notReversible`, `notEnoughCredits` or `keyOfAnotherRequest`.
    package func reverse(
        _ id: OpaqueID, note: String = "", key: RequestKey?, by caller: Caller
    ) async throws -> CreditMovement {
        let (now, note) = (wallClock.now(), try Self.checked(note))
        return try await write { db in
            if let key, let (_, known) = try LedgerRows.movement(with: key, db) {
                guard known.reverses == id else { throw ClubError.otherKey }
                return known
            }
            guard let (user, movement) = try LedgerRows.movement(id, db) else {
                throw ClubError(.notFound, "there is no such movement")
            }
            guard let target = movement.reason.counterpart, target != .rentals else {
                throw ClubError(
                    .notReversible, "a \(movement.reason.rawValue) is not taken back; a rental is refunded instead")
            }
            guard try !LedgerRows.isReversed(id, db) else {
                throw ClubError(.notReversible, "the movement was taken back already")
            }
            let entry = NewMovement(
                reason: .reversal, source: .member(user), target: target, amount: movement.amount,
                actor: caller.principal.member?.id, key: key, note: note, reverses: id, happenedAt: now)
            return try Self.written(try LedgerRows.append(entry, db), db)
        }
    }

    /// Compares the ledger with its own rules.
    package func check() async throws -> LedgerReport {
        try await database.read(within: SQLTimeLimit.maintenance) { db in try LedgerAudit.run(db) }
    }

    static func written(_ id: OpaqueID, _ db: any SQLConnection) throws -> CreditMovement {
        guard let (_, movement) = try LedgerRows.movement(id, db) else {
            throw SQLError(.failed, "a movement that was written is not there")
        }
        return movement
    }

    /// - Throws: ``ClubError`` if a note cannot be shown in a list.
    static func checked(_ note: String) throws(ClubError) -> String {
        let text = UntrustedText.stripped(note, maximumCharacterCount: CreditMovement.maximumNoteLength + 1)
        guard text.count <= CreditMovement.maximumNoteLength else {
            throw ClubError(
                .invalidField, "a note is limited to \(CreditMovement.maximumNoteLength) characters", field: "note")
        }
        return text
    }
}

extension ClubError {
    static let otherKey = ClubError(
        .keyOfAnotherRequest, "this Idempotency-Key was used for another request; use a new one for each")
}
