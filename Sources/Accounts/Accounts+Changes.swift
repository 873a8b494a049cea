import Database
import Foundation
import MediaCore

/// Changes that administrators make to accounts. Each is one transaction with its entries of the audit log.
extension Accounts {
    /// A part of a change: what happens to the account, and the entry of the audit log.
    struct ChangeStep: Sendable {
        /// An entry of the audit log, with the values before and after.
        struct Entry {
            var event: AuditEvent
            var before: String?
            var after: String?
        }

        var make: @Sendable (Account, any SQLConnection) throws -> Entry
    }

    /// Changes several things of an account, or none of them.
    ///
    /// - Parameters:
    ///   - user: the account.
    ///   - wanted: what is changed.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: somebody who may administer accounts.
    /// - Throws: `Refusal` with `changedMeanwhile`, `lastAdministrator`, `invalidPassword`, `notFound`,
    ///   `forbidden`, or `conflict` if the account can be used already.
    @discardableResult package func change(
        _ user: UserID, _ wanted: AccountChange, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        var steps: [ChangeStep] = []
        if let password = wanted.password { steps.append(try await settingPassword(to: password, of: user, caller)) }
        if let role = wanted.role {
            try requirePerson(caller)
            steps.append(Self.settingRole(to: role))
        }
        switch wanted.isUsable {
        case nil: break
        case false?: steps.append(Self.suspending(until: try suspensionEnd(after: wanted.suspensionTime)))
        case true?:
            steps.append(
                ChangeStep { account, db in
                    try (account.state == .suspended ? Self.restoring : Self.approving).make(account, db)
                })
        }
        return try await change(user, steps, from: revisions, by: caller)
    }

    /// Changes a role. It holds for sessions and tokens that exist, too.
    ///
    /// - Parameters:
    ///   - role: the new role.
    ///   - user: the account.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: an administrator.
    /// - Throws: `Refusal` with `lastAdministrator`, `changedMeanwhile`, `notFound` or `forbidden`.
    package func setRole(
        _ role: Role, of user: UserID, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        try await change(user, AccountChange(role: role), from: revisions, by: caller)
    }

    /// Lets an account be used that waits for approval or for the confirmation of its address.
    ///
    /// - Parameters:
    ///   - user: the account.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: an administrator.
    /// - Throws: `Refusal` with `conflict` if it does not wait, `changedMeanwhile` or `notFound`.
    package func approve(
        _ user: UserID, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        try await change(user, [Self.approving], from: revisions, by: caller)
    }

    /// Locks an account: its sessions end, and its tokens do not work until it is restored.
    ///
    /// - Parameters:
    ///   - user: the account.
    ///   - time: the time after which it can be used again by itself; `nil` for a suspension without end.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: an administrator.
    /// - Throws: `Refusal` with `lastAdministrator`, `changedMeanwhile`, `notFound`, or `invalidField`
    ///   for a time outside of ``AccountChange/allowedSuspensionTimes``.
    package func suspend(
        _ user: UserID, for time: Duration? = nil, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        try await change(
            user, [Self.suspending(until: try suspensionEnd(after: time))], from: revisions, by: caller)
    }

    /// The end of a suspension that begins now; `nil` for one without end.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    func suspensionEnd(after time: Duration?) throws(Refusal) -> WallClockTime? {
        guard let time else { return nil }
        let allowed = AccountChange.allowedSuspensionTimes
        guard allowed.contains(time) else {
            let (least, most) = (Int64(allowed.lowerBound.seconds), Int64(allowed.upperBound.seconds))
            throw Refusal(
                .invalidField, "the field `suspendedFor` must be from \(least) to \(most) seconds",
                fields: ["suspendedFor"])
        }
        return wallClock.now() + time
    }

    /// Unlocks an account.
    ///
    /// - Parameters:
    ///   - user: the account.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: an administrator.
    /// - Throws: `Refusal` with `conflict` if it is not suspended, `changedMeanwhile` or `notFound`.
    package func restore(
        _ user: UserID, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        try await change(user, [Self.restoring], from: revisions, by: caller)
    }

    /// Sets somebody's password, and ends all their sessions, tokens, devices and browsers for push messages; for the
    /// command line.
    ///
    /// - Throws: `Refusal` with `invalidPassword`, `notFound` or `forbidden`.
    package func setPassword(to new: String, of user: UserID, by caller: Caller) async throws {
        try await change(user, AccountChange(password: new), by: caller)
    }

    // MARK: Steps

    private static func settingRole(to role: Role) -> ChangeStep {
        ChangeStep { account, db in
            if role != .administrator { try requireOtherAdministrator(account, db) }
            try AccountRows.update(account.id, [("role", .text(role.rawValue))], db)
            return .init(event: .roleChanged, before: account.role.rawValue, after: role.rawValue)
        }
    }

    private static let approving = ChangeStep { account, db in
        guard account.state == .awaitingApproval || account.state == .awaitingConfirmation else {
            throw Refusal(.conflict, "the account is not waiting for approval")
        }
        return try setState(.active, account, .accountApproved, db)
    }

    /// - Parameter end: the end of the suspension; `nil` for one without end.
    static func suspending(until end: WallClockTime?) -> ChangeStep {
        ChangeStep { account, db in
            try requireOtherAdministrator(account, db)
            try SessionRows.deleteAll(of: account.id, db)
            try ChallengeRows.deleteAll(of: account.id, db)
            return try setState(.suspended, until: end, account, .accountSuspended, db)
        }
    }

    /// Writes down that a suspension has ended, in the transaction of the caller.
    ///
    /// - Returns: the account after it.
    static func endSuspension(
        of account: Account, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Account {
        let entry = try restoring.make(account, db)
        try AuditRows.appendEndOfTime(
            entry.event, subject: account.id, before: entry.before, after: entry.after, at: now, db)
        return try AccountRows.required(account.id, db)
    }

    /// Limit of the suspensions whose end is written down at once.
    private static let suspensionCount = 500

    /// Writes down which suspensions have ended, so that lists and searches follow. Called every minute; log-ins and
    /// tokens do not wait for it.
    ///
    /// - Throws: `SQLError`
    package func endSuspensions() async throws {
        let now = wallClock.now()
        let users = try await database.read { db in
            try AccountRows.suspensionsEnded(at: now, limit: Self.suspensionCount, db)
        }
        for user in users {
            try await database.write { db in
                // Another server may have done it, or somebody has suspended the account again.
                guard let account = try AccountRows.account(user, db), account.state == .suspended,
                    !account.isSuspended(at: now)
                else { return }
                _ = try Self.endSuspension(of: account, at: now, db)
            }
            cache.forget(user)
        }
    }

    private static let restoring = ChangeStep { account, db in
        guard account.state == .suspended else { throw Refusal(.conflict, "the account is not suspended") }
        return try setState(.active, account, .accountRestored, db)
    }

    private static func setState(
        _ state: AccountState, until end: WallClockTime? = nil, _ account: Account, _ event: AuditEvent,
        _ db: any SQLConnection
    ) throws -> ChangeStep.Entry {
        try AccountRows.update(
            account.id, [("state", .text(state.rawValue)), ("suspendedUntil", .time(end))], db)
        return .init(event: event, before: text(account.state, account.suspendedUntil), after: text(state, end))
    }

    /// A state as the audit log shows it.
    private static func text(_ state: AccountState, _ end: WallClockTime?) -> String {
        state.rawValue + (end.map { " until \(Date($0).formatted(.iso8601))" } ?? "")
    }

    private func settingPassword(
        to new: String, of user: UserID, _ caller: Caller
    ) async throws -> ChangeStep {
        try requirePerson(caller, besides: user)
        let account = try await database.read { db in try AccountRows.required(user, db) }
        let password = try passwordRules.check(new, names: [account.username, account.email ?? ""])
        let (hash, now) = (try await hasher.hash(password), wallClock.now())
        return ChangeStep { [self] account, db in
            try Self.setPassword(hash, of: account.id, at: now, db)
            try endCredentials(of: account.id, db)
            return .init(event: .passwordChanged)
        }
    }

    /// Changes an account in a transaction, together with the entries of the audit log.
    ///
    /// - Parameters:
    ///   - user: the account.
    ///   - steps: the parts of the change, each of which sees what the one before has left.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: who makes the change.
    func change(
        _ user: UserID, _ steps: [ChangeStep], from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        let now = wallClock.now()
        let account = try await database.write { db in
            var account = try AccountRows.required(user, db)
            try Self.require(revisions, account)
            for step in steps {
                let entry = try step.make(account, db)
                try AuditRows.append(
                    entry.event, by: caller.principal, from: caller.origin, subject: user, before: entry.before,
                    after: entry.after, at: now, db)
                account = try AccountRows.required(user, db)
            }
            return account
        }
        cache.forget(user)
        return account
    }
}
