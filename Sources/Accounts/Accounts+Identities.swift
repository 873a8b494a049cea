import Database
package import MediaCore

/// Log-ins with identity providers. The caller has checked what the provider says.
extension Accounts {
    /// Counts an answer that a browser brings from a provider, because checking one costs requests to the provider.
    ///
    /// - Throws: `Refusal` with `tooManyAttempts`.
    package func admitProviderAnswer(from origin: RequestOrigin) throws(Refusal) {
        try limits.admitCode(from: origin.group)
    }

    /// Forgets the answers of an address, because one was right.
    package func providerAnswerSucceeded(from origin: RequestOrigin) { limits.codeSucceeded(from: origin.group) }

    /// A username that is free, for a form in which a visitor may change it.
    ///
    /// - Parameter proposal: the name that the visitor has elsewhere.
    /// - Returns: the proposal, with a number if somebody has it already; `nil` if none of a few is free.
    package func freeUsername(like proposal: Username) async throws -> Username? {
        let numbered = (2...Self.highestProposedNumber).compactMap { number -> Username? in
            let suffix = "\(number)"
            let stem = proposal.text.unicodeScalars.prefix(Username.maximumCharacterCount - suffix.count)
            return try? Username(String(String.UnicodeScalarView(stem)) + suffix)
        }
        return try await database.read { db in try AccountRows.firstFree([proposal] + numbered, db) }
    }

    /// Each name is a look-up.
    private static let highestProposedNumber = 9

    /// Logs somebody in whom a provider knows. It counts as the password: a second factor is still asked for.
    ///
    /// - Parameters:
    ///   - identity: who it is.
    ///   - role: the role that the provider decides, which the account gets; `nil` if it decides none.
    ///   - staysLoggedIn: whether the session outlives the browser.
    ///   - origin: the address of the sender.
    /// - Returns: `nil` if no account has the identity.
    /// - Throws: `Refusal` with `accountPending`, `accountSuspended` or `tooManyAttempts`.
    package func logIn(
        _ identity: ExternalIdentity, role: Role?, staysLoggedIn: Bool, from origin: RequestOrigin
    ) async throws -> LogInOutcome? {
        try await logIns.counting(.provider, { $0?.result }) {
            try await attempt(identity, role: role, staysLoggedIn: staysLoggedIn, from: origin)
        }
    }

    private func attempt(
        _ identity: ExternalIdentity, role: Role?, staysLoggedIn: Bool, from origin: RequestOrigin
    ) async throws -> LogInOutcome? {
        let now = wallClock.now()
        let outcome = try await database.write { [self] db -> (LogInOutcome, UserID)? in
            guard let user = try IdentityRows.owner(of: identity, db),
                let candidate = try AccountRows.candidate(user, from: origin, db)
            else { return nil }
            try Self.requireUsable(candidate, at: now)
            if let role { try Self.decideRole(role, of: user, origin, at: now, db) }
            try IdentityRows.noteUse(identity, at: now, db)
            try AuditRows.append(
                .identityUsed, by: .anonymous, from: origin, subject: user, after: identity.provider, at: now, db)
            if candidate.hasSecondFactor {
                let secret = Secret(.challenge)
                try ChallengeRows.insert(secret, .init(user: user, isPersistent: staysLoggedIn), at: now, db)
                return (.secondFactorNeeded(secret), user)
            }
            return (.session(try beginSession(user, isPersistent: staysLoggedIn, from: origin, at: now, db)), user)
        }
        if let outcome, role != nil { cache.forget(outcome.1) }
        return outcome?.0
    }

    /// - Throws: `Refusal` with `accountPending` or `accountSuspended`.
    static func requireUsable(_ candidate: LogInCandidate, at now: WallClockTime) throws(Refusal) {
        switch candidate.state {
        case .active: break
        case .awaitingConfirmation:
            throw Refusal(.accountPending, "follow the link in the mail that was sent to your address first")
        case .awaitingApproval:
            throw Refusal(.accountPending, "an administrator has to approve your account first")
        case .suspended:
            guard AccountState.isSuspended(until: candidate.suspendedUntil, at: now) else { break }
            throw Refusal.suspended(until: candidate.suspendedUntil)
        }
    }

    /// Gives an account the role that a provider decides. The last administrator stays one, so that nobody is locked
    /// out by a group that somebody has renamed.
    private static func decideRole(
        _ role: Role, of user: UserID, _ origin: RequestOrigin, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        let before = try AccountRows.required(user, db)
        guard before.role != role else { return }
        if before.role == .administrator, before.state == .active,
            try !AccountRows.hasAdministrator(besides: user, db)
        {
            return
        }
        try AccountRows.update(user, [("role", .text(role.rawValue))], db)
        try AuditRows.append(
            .roleChanged, by: .anonymous, from: origin, subject: user, before: before.role.rawValue,
            after: "\(role.rawValue) (by the identity provider)", at: now, db)
    }

    /// The caller's identities.
    package func identities(of caller: Caller) async throws -> [ConnectedIdentity] {
        let member = try caller.requireMember()
        return try await database.read { db in try IdentityRows.identities(of: member.id, db) }
    }

    /// Connects the caller's account with an identity.
    ///
    /// - Parameters:
    ///   - new: what the provider has said.
    ///   - password: the account's password.
    ///   - caller: somebody who has logged in.
    /// - Throws: `Refusal` with `conflict` if some account has the identity, and those of a wrong password.
    package func connect(_ new: NewIdentity, password: String?, by caller: Caller) async throws {
        let member = try await confirm(password, by: caller)
        let now = wallClock.now()
        try await database.write { db in
            try IdentityRows.insert(new.identity, label: new.label, of: member.id, at: now, db)
            try AuditRows.append(
                .identityConnected, by: caller.principal, from: caller.origin, subject: member.id,
                after: "\(new.identity.provider): \(new.label)", at: now, db)
        }
    }

    /// Disconnects the caller's account from an identity.
    ///
    /// - Parameters:
    ///   - identity: the identity.
    ///   - password: the account's password.
    ///   - caller: somebody who has logged in.
    /// - Throws: `Refusal` with `notFound`, or `noPassword` if nobody could log in to the account any more.
    package func disconnect(_ identity: ExternalIdentity, password: String?, by caller: Caller) async throws {
        let member = try await confirm(password, by: caller)
        let now = wallClock.now()
        try await database.write { db in
            guard try IdentityRows.delete(identity, of: member.id, db) else {
                throw Refusal(.notFound, "your account is not connected to this provider")
            }
            try Self.requireWayToLogIn(member.id, db)
            try AuditRows.append(
                .identityDisconnected, by: caller.principal, from: caller.origin, subject: member.id,
                before: identity.provider, at: now, db)
        }
    }

    /// - Throws: `Refusal` with `noPassword` if nobody could log in to an account any more.
    static func requireWayToLogIn(_ user: UserID, _ db: any SQLConnection) throws {
        // Locks the row, so that two removals at the same time do not each rely on what the other removes.
        try db.execute("UPDATE account SET revision = revision WHERE id = ?1", .text(user.text))
        guard
            try !AccountRows.required(user, db).hasPassword,
            try !db.exists("SELECT 1 FROM passkey WHERE userID = ?1 LIMIT 1", .text(user.text)),
            try IdentityRows.identities(of: user, db).isEmpty
        else { return }
        throw Refusal(
            .noPassword, "this is the only way to log in to your account; set a password, or add another way first")
    }
}
