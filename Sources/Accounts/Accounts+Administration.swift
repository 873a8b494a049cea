package import Database
package import MediaCore

extension Accounts {
    /// A page of accounts in the order of their usernames.
    ///
    /// - Parameters:
    ///   - filter: which accounts.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    package func accounts(
        _ filter: AccountFilter = AccountFilter(), after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<Account> {
        let size = ListPage<Account>.size(limit)
        return try await database.read { db in try AccountRows.page(filter, after: cursor, size: size, db) }
    }

    /// The account of a username or e-mail address.
    ///
    /// - Throws: `Refusal` with `notFound` or `forbidden`.
    package func account(named name: String, by caller: Caller) async throws -> Account {
        try require(caller.principal, .read, .accounts)
        let notFound = Refusal(.notFound, "there is no account \(Refusal.quoted(name))")
        guard let logInName = try? LogInName(name) else { throw notFound }
        guard let account = try await database.read({ db in try AccountRows.account(logInName, db) }) else {
            throw notFound
        }
        return account
    }

    /// An account, its owner's or, for administrators, anybody's.
    ///
    /// - Throws: `Refusal` with `notFound` or `forbidden`.
    package func account(_ id: UserID, by caller: Caller) async throws -> Account {
        try require(caller.principal, .read, .account(id))
        return try await database.read { db in try AccountRows.required(id, db) }
    }

    /// Sets what an account may do with one channel beyond its role; nothing removes the grant.
    ///
    /// - Parameters:
    ///   - actions: what it may do.
    ///   - channel: the channel's name.
    ///   - user: the account.
    ///   - revisions: the revisions of the account of which the change is meant for one; `nil` for any.
    ///   - caller: who makes the change.
    /// - Throws: `Refusal` with `invalidField` for an action that cannot be granted on a channel, or
    ///   `changedMeanwhile`.
    @discardableResult package func grant(
        _ actions: ActionSet, on channel: String, to user: UserID, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        if let wrong = actions.actions.first(where: { PermissionTable.channelActions[$0] == nil }) {
            throw Refusal(
                .invalidField, "the permission `\(wrong.rawValue)` cannot be granted on a channel",
                fields: ["permissions"])
        }
        guard (1...TokenRequest.maximumChannelByteCount).contains(channel.utf8.count) else {
            throw Refusal(.invalidField, "the name of the channel is empty or too long", fields: ["channel"])
        }
        let step = ChangeStep { account, db in
            let before = try MemberRows.channelGrants(account.id, db)[channel]
            try MemberRows.grant(actions, on: channel, to: account.id, db)
            // The grants are part of the account that others have read.
            try AccountRows.update(account.id, [], db)
            return .init(
                event: .channelGrantChanged, before: "\(channel): \(before?.description ?? "")",
                after: "\(channel): \(actions)")
        }
        return try await change(user, [step], from: revisions, by: caller)
    }

    /// The permissions of an account on single channels beyond its role, by channel.
    package func channelGrants(of user: UserID, by caller: Caller) async throws -> [String: ActionSet] {
        try require(caller.principal, .read, .account(user))
        return try await database.read { db in
            _ = try AccountRows.required(user, db)
            return try MemberRows.channelGrants(user, db)
        }
    }

    /// Removes somebody's second factor, such as after a lost phone.
    package func removeSecondFactor(of user: UserID, by caller: Caller) async throws {
        try requirePerson(caller, besides: user)
        let step = ChangeStep { account, db in
            try SecondFactorRows.delete(of: account.id, db)
            return .init(event: .secondFactorOff)
        }
        _ = try await change(user, [step], by: caller)
    }

    /// Deletes somebody's account; see ``deleteAccount(password:by:)``.
    ///
    /// - Returns: the account as it was.
    @discardableResult package func removeAccount(_ user: UserID, by caller: Caller) async throws -> Account {
        try await delete(user, by: caller)
    }

    /// Checks that an administrator has logged in, or is on the server's machine. A program's token that leaks could
    /// otherwise take over the accounts of people and outlive its end.
    ///
    /// - Parameters:
    ///   - caller: somebody who may administer accounts.
    ///   - user: the account that is changed, if its owner must confirm the change with the password, on the pages of
    ///     the account, so that a session that somebody else uses for a moment is not enough.
    /// - Throws: `Refusal` with `forbidden`, or with `passwordNeeded` for the caller's own account.
    func requirePerson(_ caller: Caller, besides user: UserID? = nil) throws(Refusal) {
        switch caller.principal {
        case .machine: return
        case .session(let member, _):
            guard let user, member.id == user else { return }
            throw Refusal(.passwordNeeded, "your own account can be changed only on its page, with your password")
        case .anonymous: throw Refusal(.loginNeeded, "log in first")
        case .apiToken, .appPassword:
            throw Refusal(.forbidden, "this needs an administrator who has logged in, not a token")
        }
    }

    // MARK: Audit log

    /// The entries of the audit log after a number, oldest first, for a part of the server that follows the log.
    package func auditEntries(after number: Int64, limit: Int) async throws -> [AuditEntry] {
        try await database.read { db in try AuditRows.entries(after: number, limit: limit, db) }
    }

    /// The number of the newest entry of the audit log; 0 if there is none.
    package func lastAuditNumber() async throws -> Int64 {
        try await database.read { db in try AuditRows.lastNumber(db) }
    }

    /// A page of the audit log, newest first.
    ///
    /// - Parameters:
    ///   - filter: which entries.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    package func auditLog(
        _ filter: AuditFilter = AuditFilter(), after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<AuditEntry> {
        let size = ListPage<AuditEntry>.size(limit)
        return try await database.read { db in try AuditRows.page(filter, after: cursor, size: size, db) }
    }

    /// Notes a change to something of the station, in the transaction of that change.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - caller: who has made the change.
    ///   - subject: the account that the thing belongs to, with which the values are forgotten; `nil` for a thing of
    ///     the station.
    ///   - before: what it was; `nil` for something new.
    ///   - after: what it is; `nil` for something that is gone.
    ///   - time: now.
    ///   - db: the connection of the transaction, to the database of the accounts.
    package static func note(
        _ event: AuditEvent, by caller: Caller, about subject: UserID?, before: String? = nil, after: String? = nil,
        at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try AuditRows.append(
            event, by: caller.principal, from: caller.origin, subject: subject, before: before, after: after, at: time,
            db)
    }

    // MARK: Maintenance

    /// Deletes what has expired, and the oldest part of an audit log that is too long. Called once an hour.
    package func maintain() async throws {
        let (now, settings) = (wallClock.now(), settings)
        try await database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
            try SessionRows.deleteExpired(at: now, db)
            try ChallengeRows.deleteExpired(at: now, db)
            try LinkRows.deleteExpired(at: now, db)
            try DeviceGrantRows.deleteExpired(at: now, db)
            try PasskeyRows.deleteExpiredChallenges(at: now, db)
            try AccountRows.deleteUnconfirmed(before: now - Self.confirmationTime, db)
            try AccountRows.deleteFamiliarAddresses(before: now - Self.familiarity, db)
        }
        var goesOn = true
        while goesOn {
            goesOn = try await database.write { db in
                try AuditRows.prune(
                    before: now - settings.auditRetention, maximumCount: settings.maximumAuditEntryCount, db)
            }
        }
    }

    /// Time after which an account whose address nobody has confirmed is deleted, so that nobody keeps the address of
    /// somebody else.
    private static let confirmationTime = Duration.seconds(7 * 24 * 3_600)
    /// Time after the last log-in for which an address is familiar.
    private static let familiarity = Duration.seconds(90 * 24 * 3_600)
}
