package import Accounts
import Database
package import MediaCore

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
    /// - Throws: `Refusal` with `invalidCursor`.
    package func movements(
        of user: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> (balance: Int64, page: ListPage<CreditMovement>) {
        let size = ListPage<CreditMovement>.size(limit)
        return try await database.read { db in
            (
                try LedgerRows.balance(of: .member(user), db),
                try LedgerRows.page(of: user, after: cursor, size: size, db)
            )
        }
    }

    /// The credits of a member that end unless they are spent, the soonest first; at most
    /// ``ExpiringCredits/maximumCount`` ends.
    package func expiringCredits(of user: UserID) async throws -> [ExpiringCredits] {
        let now = wallClock.now()
        return try await database.read { db in try CreditLotRows.expiring(of: .member(user), after: now, db) }
    }

    /// Gives credits to a member.
    ///
    /// - Parameters:
    ///   - amount: 1 to ``CreditMovement/maximumAmount``.
    ///   - reason: a top-up, a payment or a gift.
    ///   - user: the member.
    ///   - note: a text for both sides.
    ///   - life: the time after which a gift ends as far as it was not spent, within ``ExpiringCredits/lifeRange``;
    ///     `nil` for none.
    ///   - key: marks the request and its repetitions, which give nothing more; `nil` for a request of its own.
    ///   - caller: who gives; whether they may is for the caller of this to ask.
    /// - Throws: `Refusal` with `invalidField`, `notFound` or `keyOfAnotherRequest`.
    package func give(
        _ amount: Int64, _ reason: CreditReason, to user: UserID, note: String = "", life: Duration? = nil,
        key: RequestKey?, by caller: Caller
    ) async throws -> CreditMovement {
        guard (1...CreditMovement.maximumAmount).contains(amount) else {
            throw Refusal(
                .invalidField, "an amount is 1 to \(CreditMovement.maximumAmount) credits", field: "amount")
        }
        guard reason.isGiven, let source = reason.counterpart else {
            throw Refusal(.invalidField, "credits are given as a top-up, a payment or a gift", field: "reason")
        }
        if let life {
            guard reason == .gift else {
                throw Refusal(
                    .invalidField, "only gifts can expire; give the credits with the reason `gift`",
                    field: "expiresIn")
            }
            guard ExpiringCredits.lifeRange.contains(life) else {
                throw Refusal(.invalidField, "a gift lasts 1 minute to 10 years", field: "expiresIn")
            }
        }
        let now = wallClock.now()
        let movement = NewMovement(
            reason: reason, source: source, target: .member(user), amount: amount,
            actor: caller.principal.member?.id, key: key, note: try Self.checked(note), happenedAt: now,
            expiresAt: life.map { now + $0 })
        let (given, isNew) = try await write { db in
            if let key, let (owner, known) = try LedgerRows.movement(with: key, db) {
                guard owner == user, known.amount == amount, known.reason == reason,
                    known.expiresAt.map({ $0 - known.happenedAt }) == life
                else { throw Refusal.otherKey }
                return (known, false)
            }
            guard try AccountReferences.exists(user, db) else {
                throw Refusal(.notFound, "there is no such account")
            }
            if life != nil {
                try LedgerRows.lock(.member(user), db)
                guard try CreditLotRows.count(of: .member(user), db) < ExpiringCredits.maximumGiftCount else {
                    throw Refusal(
                        .invalidField,
                        "an account can have at most \(ExpiringCredits.maximumGiftCount) expiring gifts at the same time",
                        field: "expiresIn")
                }
            }
            return (try Self.written(try LedgerRows.append(movement, db), db), true)
        }
        if isNew { statistics.add(amount, reason) }
        return given
    }

    /// Takes back credits that were given by mistake, with a counter-entry. What has ended of a gift is not taken back
    /// once more.
    ///
    /// - Parameters:
    ///   - id: the movement.
    ///   - note: a text for both sides.
    ///   - key: marks the request and its repetitions; `nil` for a request of its own.
    ///   - caller: who takes back; whether they may is for the caller of this to ask.
    /// - Returns: the counter-entry.
    /// - Throws: `Refusal` with `notFound`, `notReversible`, `notEnoughCredits` or `keyOfAnotherRequest`.
    package func reverse(
        _ id: OpaqueID, note: String = "", key: RequestKey?, by caller: Caller
    ) async throws -> CreditMovement {
        let (now, note, endsGifts) = (wallClock.now(), try Self.checked(note), steadiness.isSteady())
        let (entry, isNew) = try await write { db in
            if let key, let (_, known) = try LedgerRows.movement(with: key, db) {
                guard known.reverses == id else { throw Refusal.otherKey }
                return (known, false)
            }
            guard let (user, movement) = try LedgerRows.movement(id, db) else {
                throw Refusal(.notFound, "there is no such movement")
            }
            guard movement.reason.isGiven, let target = movement.reason.counterpart else {
                throw Refusal(
                    .notReversible,
                    "a movement with the reason `\(movement.reason.rawValue)` cannot be reversed; refund the rental instead"
                )
            }
            guard try !LedgerRows.isReversed(id, db) else {
                throw Refusal(.notReversible, "the movement was already taken back")
            }
            if endsGifts { try LedgerRows.expire(.member(user), at: now, db) }
            let amount = movement.amount - (try CreditLotRows.expired(ofGift: id, db))
            guard amount > 0 else { throw Refusal(.notReversible, "the gift has already expired") }
            let entry = NewMovement(
                reason: .reversal, source: .member(user), target: target, amount: amount,
                actor: caller.principal.member?.id, key: key, note: note, reverses: id, happenedAt: now,
                endsGifts: endsGifts)
            return (try Self.written(try LedgerRows.append(entry, db), db), true)
        }
        if isNew { statistics.add(-entry.amount, .reversal) }
        return entry
    }

    /// Compares the ledger with its own rules.
    package func check() async throws -> LedgerReport {
        try await database.read(within: SQLTimeLimit.maintenance) { db in try LedgerAudit.run(db) }
    }

    static func written(_ id: OpaqueID, _ db: any SQLConnection) throws -> CreditMovement {
        guard let (_, movement) = try LedgerRows.movement(id, db) else {
            throw SQLError(.failed, "a movement that was just written is missing")
        }
        return movement
    }

    /// - Throws: `Refusal` if a note cannot be shown in a list.
    static func checked(_ note: String) throws(Refusal) -> String {
        let text = UntrustedText.stripped(note, maximumCharacterCount: CreditMovement.maximumNoteLength + 1)
        guard text.count <= CreditMovement.maximumNoteLength else {
            throw Refusal(
                .invalidField, "a note is limited to \(CreditMovement.maximumNoteLength) characters", field: "note")
        }
        return text
    }
}

extension Refusal {
    static let otherKey = Refusal(
        .keyOfAnotherRequest, "this Idempotency-Key was used for another request; use a new one for each")
}
