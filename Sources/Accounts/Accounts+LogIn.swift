import Database
import MediaCore

extension Accounts {
    /// Logs somebody in.
    ///
    /// A wrong password and an account that does not exist get the same answer after the same time.
    ///
    /// - Parameters:
    ///   - name: username or e-mail address, in any case.
    ///   - password: the password as it was typed.
    ///   - staysLoggedIn: whether the session outlives the browser.
    ///   - origin: the address that the limits hold for.
    /// - Throws: `Refusal` with `invalidEmail`, `wrongCredentials`, `accountPending`, `accountSuspended`,
    ///   `tooManyAttempts` or `busy`.
    package func logIn(
        _ name: String, password: String, staysLoggedIn: Bool = false, from origin: RequestOrigin
    ) async throws -> LogInOutcome {
        try await logIns.counting(.password, \.result) {
            try await attempt(name, password: password, staysLoggedIn: staysLoggedIn, from: origin)
        }
    }

    private func attempt(
        _ name: String, password: String, staysLoggedIn: Bool, from origin: RequestOrigin
    ) async throws -> LogInOutcome {
        let logInName: LogInName?
        do {
            logInName = try LogInName(name)
        } catch {
            // A text with the form of no username is one that nobody has.
            guard error.code != .invalidEmail else { throw error }
            logInName = nil
        }
        var candidate: LogInCandidate?
        if let logInName {
            candidate = try await database.read { db in try AccountRows.candidate(logInName, from: origin, db) }
        }
        let verdict = try await verify(password, candidate, typed: logInName?.key ?? "", from: origin)
        guard let candidate, let hash = candidate.hash, verdict != .wrong else {
            throw Refusal(.wrongCredentials, "the username or the password is wrong")
        }
        let now = wallClock.now()
        try Self.requireUsable(candidate, at: now)
        return try await database.write { [self] db in
            // Somebody may have changed the password while it was checked.
            guard try AccountRows.candidate(candidate.id, from: origin, db)?.hash == hash else {
                throw Refusal(.wrongCredentials, "the password was changed a moment ago; log in again")
            }
            if case .rightWithNewHash(let new) = verdict {
                try AccountRows.upgrade(hash, to: new, of: candidate.id, db)
            }
            if candidate.hasSecondFactor {
                let secret = Secret(.challenge)
                try ChallengeRows.insert(
                    secret, .init(user: candidate.id, isPersistent: staysLoggedIn), at: now, db)
                return .secondFactorNeeded(secret)
            }
            return .session(
                try beginSession(candidate.id, isPersistent: staysLoggedIn, from: origin, at: now, db))
        }
    }

    /// Completes a log-in with the second factor.
    ///
    /// - Parameters:
    ///   - challenge: the text of the secret of ``LogInOutcome/secondFactorNeeded(_:)``.
    ///   - code: a code of the authenticator app, or a recovery code.
    ///   - origin: the address that the limits hold for.
    /// - Throws: `Refusal` with `wrongCode`, `linkNotValid`, `tooManyAttempts` or `notAvailable`.
    package func logIn(
        challenge: String, code: String, from origin: RequestOrigin
    ) async throws -> NewSession {
        try await logIns.counting(.secondFactor, { _ in .success }) {
            try await attempt(challenge: challenge, code: code, from: origin)
        }
    }

    private func attempt(challenge: String, code: String, from origin: RequestOrigin) async throws -> NewSession {
        guard let secret = Secret(.challenge, parsing: challenge) else { throw Self.challengeNotValid }
        try limits.admitCode(from: origin.group)
        let now = wallClock.now()
        // Errors are returned, because an error that is thrown undoes the counting of wrong codes.
        let result = try await database.write { [self] db -> Result<NewSession, Refusal> in
            guard let challenge = try ChallengeRows.attempt(secret, at: now, db) else {
                return .failure(Self.challengeNotValid)
            }
            if let error = try checkCode(code, of: challenge.user, from: origin, at: now, db) {
                return .failure(error)
            }
            try ChallengeRows.delete(secret, db)
            return .success(
                try beginSession(challenge.user, isPersistent: challenge.isPersistent, from: origin, at: now, db))
        }
        let session = try result.get()
        limits.codeSucceeded(from: origin.group)
        return session
    }

    private static var challengeNotValid: Refusal {
        Refusal(.linkNotValid, "this log-in has taken too long or too many wrong codes; log in again")
    }

    // MARK: Parts

    /// Checks a password within the limits.
    ///
    /// - Parameter typed: what was typed, if there is no such account.
    func verify(
        _ password: String, _ candidate: LogInCandidate?, typed: String, from origin: RequestOrigin
    ) async throws -> PasswordHasher.Verdict {
        let account = candidate?.id.text ?? "?\(typed)"
        let isFamiliar = candidate?.isFamiliar ?? false
        try limits.admitLogIn(from: origin.group, account: account, isFamiliar: isFamiliar)
        do {
            let verdict = try await hasher.verify(Password(password), against: candidate?.hash)
            if verdict != .wrong {
                limits.logInSucceeded(from: origin.group, account: account, isFamiliar: isFamiliar)
            }
            return verdict
        } catch {
            // Nothing was tried.
            limits.logInSucceeded(from: origin.group, account: account, isFamiliar: isFamiliar)
            throw error
        }
    }

    /// Begins a session in the transaction of the caller.
    ///
    /// - Throws: `Refusal` with `accountSuspended` if the account is not active.
    func beginSession(
        _ user: UserID, isPersistent: Bool, from origin: RequestOrigin, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> NewSession {
        var account = try AccountRows.required(user, db)
        if account.state == .suspended {
            guard !account.isSuspended(at: now) else { throw Refusal.suspended(until: account.suspendedUntil) }
            account = try Self.endSuspension(of: account, at: now, db)
        }
        guard account.state == .active else {
            throw Refusal(.accountSuspended, "the account cannot be used at the moment")
        }
        let settings = settings
        let expiresAt = now + (isPersistent ? settings.persistentLifetime : settings.sessionLifetime)
        let session = Session(
            id: OpaqueID(), user: user, isPersistent: isPersistent, createdAt: now, lastUsedAt: now,
            idleAt: min(now + (isPersistent ? settings.persistentIdleTime : settings.sessionIdleTime), expiresAt),
            expiresAt: expiresAt, address: origin.address, device: origin.device)
        let secret = Secret(.session)
        try SessionRows.insert(session, secret, db)
        try AccountRows.noteLogIn(user, from: origin, at: now, db)
        let member = Member(
            id: user, username: account.username, role: account.role,
            channelGrants: try MemberRows.channelGrants(user, db))
        try AuditRows.append(
            .loggedIn, by: .session(member, session.id), from: origin, subject: user, at: now, db)
        return NewSession(session: session, secret: secret, member: member)
    }

    /// Checks that a change comes from the account's owner: by the password, or by a recent log-in if the account has
    /// none.
    ///
    /// - Throws: `Refusal` with `passwordNeeded`, `wrongCredentials`, `loginNeeded` or `tooManyAttempts`.
    func confirm(_ password: String?, by caller: Caller) async throws -> Member {
        let (member, session) = try ownSession(caller)
        let now = wallClock.now()
        let (candidate, createdAt) = try await database.read { db in
            (try AccountRows.candidate(member.id, from: caller.origin, db), try SessionRows.createdAt(session, db))
        }
        guard let candidate, let createdAt else { throw Refusal(.loginNeeded, "log in first") }
        guard candidate.hash != nil else {
            guard now - createdAt <= Self.recentLogInAge else {
                throw Refusal(.loginNeeded, "this needs a log-in of the last 15 minutes; log in again")
            }
            return member
        }
        guard let password, !password.isEmpty else {
            throw Refusal(
                .passwordNeeded, "this needs your password in the field `currentPassword`", fields: ["currentPassword"])
        }
        let verdict = try await verify(password, candidate, typed: "", from: caller.origin)
        guard verdict != .wrong else {
            throw Refusal(.wrongCredentials, "the password is wrong", fields: ["currentPassword"])
        }
        return member
    }

    private static let recentLogInAge = Duration.seconds(900)
}
