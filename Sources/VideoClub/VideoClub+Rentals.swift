package import Accounts
import Catalogue
import Database
package import MediaCore

extension VideoClub {
    /// A page of the rentals whose time is about to end, the ones that end first at the beginning.
    ///
    /// - Parameters:
    ///   - time: the time before the end; for a rental that is short, a quarter of its time.
    ///   - last: the last rental of the page before; `nil` for the first page.
    ///   - limit: number of rentals.
    package func rentals(endingWithin time: Duration, after last: Rental?, limit: Int) async throws -> [Rental] {
        let now = wallClock.now()
        return try await database.read { db in
            try RentalRows.ending(within: time, after: last, at: now, limit: limit, db)
        }
    }

    /// Rents a title: the credits move, and the rental is made, or neither.
    ///
    /// - Parameters:
    ///   - title: the ID of the title.
    ///   - key: marks the request and its repetitions, which get the same rental; `nil` for a request of its own.
    ///   - caller: the member; whether they may rent is for the caller of this to ask.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `notEnoughCredits`, `alreadyRented`, `rentalNotNeeded`
    ///   or `keyOfAnotherRequest`.
    package func rent(_ title: String, key: RequestKey?, by caller: Caller) async throws -> RentalOutcome {
        let (member, now, settings) = (try Self.member(caller), wallClock.now(), settings)
        do {
            let (outcome, expired) = try await rent(title, key, member, settings, at: now)
            if outcome.isNew {
                statistics.add(.rented)
                statistics.add(outcome.rental.price, .rental)
                statistics.add(expired, .expired)
            }
            return outcome
        } catch var error as Refusal {
            switch error.code {
            case .notEnoughCredits:
                statistics.add(.creditsNeeded)
                if let address = settings.purchase.address(for: member.username) {
                    error.facts["purchaseAddress"] = .text(address)
                    error.reason += "; credits are sold at \(address)"
                }
            case .alreadyRented: statistics.add(.alreadyRented)
            default: break
            }
            throw error
        }
    }

    /// - Returns: the outcome, and the credits that ended before they could pay.
    private func rent(
        _ title: String, _ key: RequestKey?, _ member: Member, _ settings: ClubSettings, at now: WallClockTime
    ) async throws -> (RentalOutcome, expired: Int64) {
        let endsGifts = steadiness.isSteady()
        return try await write { db in
            if let key, let known = try RentalRows.rental(with: key, db) {
                guard known.titleID == title else { throw Refusal.otherKey }
                let balance = try LedgerRows.balance(of: .member(member.id), db)
                return (RentalOutcome(rental: known, isNew: false, balance: balance), 0)
            }
            let title = try Self.title(title, db)
            let terms = try TermsRows.terms(of: title.number, db) ?? TitleTerms()
            guard terms.needsRental else {
                throw Refusal(.rentalNotNeeded, "the title can be watched without a rental")
            }
            if let last = try RentalRows.last(of: member.id, title: title.number, db), last.endedAt == nil {
                switch last.state(at: now) {
                case .rented, .activated:
                    var refusal = Refusal(.alreadyRented, "you have already rented the title")
                    refusal.facts = ["rental": .text(last.id.text)]
                    throw refusal
                case .expired, .refunded: try RentalRows.end(last.id, .expired, at: now, db)
                }
            }
            let rental = Rental(
                number: 0, id: OpaqueID(), user: member.id, titleNumber: title.number, titleID: title.id,
                titleName: title.name, price: terms.price, rentedAt: now,
                startsBefore: terms.timeToStart.map { now + $0 }, timeToPlay: terms.timeToPlay ?? settings.timeToPlay)
            var expired: Int64 = 0
            if rental.price > 0 {
                if endsGifts { expired = try LedgerRows.expire(.member(member.id), at: now, db) }
                _ = try LedgerRows.append(
                    NewMovement(
                        reason: .rental, source: .member(member.id), target: .rentals, amount: rental.price,
                        actor: member.id, rental: rental.id, happenedAt: now, endsGifts: endsGifts), db)
            }
            try RentalRows.insert(rental, key: key, db)
            let outcome = RentalOutcome(
                rental: try Self.known(rental.id, db), isNew: true,
                balance: try LedgerRows.balance(of: .member(member.id), db))
            return (outcome, expired)
        }
    }

    /// Begins the time for which a rental can be watched. A rental whose time has begun stays as it is.
    ///
    /// - Parameters:
    ///   - id: the rental.
    ///   - caller: the member whose rental it is.
    /// - Throws: `Refusal` with `notFound`, also for somebody else's rental, or `rentalEnded`.
    package func activate(_ id: OpaqueID, by caller: Caller) async throws -> Rental {
        let (member, now) = (try Self.member(caller), wallClock.now())
        let (rental, isNew) = try await database.write { db in
            let rental = try Self.known(id, db)
            guard rental.user == member.id else { throw Refusal.noRental }
            switch rental.state(at: now) {
            case .activated: return (rental, false)
            case .expired, .refunded: throw Refusal(.rentalEnded, "the rental has ended")
            case .rented: break
            }
            try RentalRows.activate(id, at: now, until: now + rental.timeToPlay, db)
            return (try Self.known(id, db), true)
        }
        if isNew { statistics.add(.activated) }
        return rental
    }

    /// Gives back what a member has paid for a rental, and ends it; also after its time, for a film that could not be
    /// watched.
    ///
    /// - Parameters:
    ///   - id: the rental.
    ///   - note: a text for both sides.
    ///   - caller: who gives back; whether they may is for the caller of this to ask.
    /// - Throws: `Refusal` with `notFound`.
    package func refund(_ id: OpaqueID, note: String = "", by caller: Caller) async throws -> Rental {
        let (now, note, actor) = (wallClock.now(), try Self.checked(note), caller.principal.member?.id)
        let (rental, isNew) = try await write { db in
            let rental = try Self.known(id, db)
            switch rental.state(at: now) {
            case .refunded: return (rental, false)
            case .rented, .activated, .expired: break
            }
            try Self.refund(rental, .refunded, by: actor, note: note, at: now, db)
            return (try Self.known(id, db), true)
        }
        if isNew { noteRefund(rental) }
        entitlements.noteEnd(of: id.text)
        return rental
    }

    func noteRefund(_ rental: Rental) {
        statistics.add(.refunded)
        if rental.user != nil { statistics.add(rental.price, .refund) }
    }

    /// Ends a rental and writes the counter-entry of its payment.
    static func refund(
        _ rental: Rental, _ reason: RentalEnd, by actor: UserID?, note: String, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        try RentalRows.end(rental.id, reason, at: now, db)
        // Members who have left get nothing back.
        guard rental.price > 0, let user = rental.user else { return }
        let paid: String? = try db.firstValue(
            "SELECT id FROM creditMovement WHERE rentalID = ?1 AND reason = ?2", .text(rental.id.text),
            .text(CreditReason.rental.rawValue))
        _ = try LedgerRows.append(
            NewMovement(
                reason: .refund, source: .rentals, target: .member(user), amount: rental.price, actor: actor,
                note: note, rental: rental.id, reverses: paid.flatMap { OpaqueID(parsing: $0) }, happenedAt: now), db)
    }

    // MARK: Questions

    /// A rental; whether the caller may see it is for the caller of this to ask.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func rental(_ id: OpaqueID) async throws -> Rental {
        try await database.read { db in try Self.known(id, db) }
    }

    /// A page of a member's rentals, newest first.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func rentals(
        of user: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<Rental> {
        let size = ListPage<Rental>.size(limit)
        return try await database.read { db in try RentalRows.page(of: user, after: cursor, size: size, db) }
    }

    /// A member's standing with a title that needs a rental.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - title: the ID of the title.
    /// - Throws: `Refusal` with `notFound`.
    package func standing(of user: UserID, title: String) async throws -> RentalStanding {
        let now = wallClock.now()
        return try await database.read { db in
            try Self.standing(of: user, title: try Self.title(title, db).number, at: now, db)
        }
    }

    /// A member's standing with a title that needs a rental at the moment.
    ///
    /// - Parameters:
    ///   - caller: the member.
    ///   - title: the ID of the title.
    ///   - beginsPlayback: whether the member begins to watch, which activates the rental if the operator wants that.
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func standing(
        of caller: Caller, title: String, beginsPlayback: Bool
    ) async throws -> RentalStanding {
        let standing = try await standing(of: try Self.member(caller).id, title: title)
        guard beginsPlayback, settings.activation == .firstPlayback, case .waiting(let rental) = standing else {
            return standing
        }
        return .active(try await activate(rental.id, by: caller))
    }

    private static func standing(
        of user: UserID, title: Int64, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> RentalStanding {
        guard let rental = try RentalRows.last(of: user, title: title, db) else { return .neverRented }
        return switch rental.state(at: now) {
        case .rented: .waiting(rental)
        case .activated: .active(rental)
        case .expired, .refunded: .over(rental)
        }
    }

    /// Number of rentals that have not ended, by state.
    package func openRentals() async throws -> [RentalState: Int64] {
        let now = wallClock.now()
        return try await database.read { db in try RentalRows.openCounts(at: now, db) }
    }

    /// The restriction of the title with an ID; `nil` for none. Never waits.
    package func restriction(ofTitle id: String) -> TitleRestriction? {
        if entitlements.needsRental(titleID: id) { return .rental(title: id) }
        return entitlements.isForMembers(titleID: id) ? .membersOnly : nil
    }

    /// The restriction of the title whose file has a name; `nil` for none.
    package func restriction(ofFile name: MediaFileName) async throws -> TitleRestriction? {
        let question = entitlements.beginQuestion()
        let found = try await database.read { db -> (id: String, needsRental: Bool)? in
            guard let title = try TitleRows.title(file: name.text, db) else { return nil }
            return (title.id, try TermsRows.terms(of: title.number, db)?.needsRental == true)
        }
        if let found, found.needsRental { return .rental(title: found.id) }
        if let found, entitlements.isForMembers(titleID: found.id) { return .membersOnly }
        entitlements.noteFree(titleFile: name, askedBy: question)
        return nil
    }

    private static func known(_ id: OpaqueID, _ db: any SQLConnection) throws -> Rental {
        guard let rental = try RentalRows.rental(id, db) else { throw Refusal.noRental }
        return rental
    }
}

extension Refusal {
    fileprivate static let noRental = Refusal(.notFound, "there is no such rental")
}
