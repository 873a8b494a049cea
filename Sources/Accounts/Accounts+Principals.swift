import Database
import MediaCore

extension Accounts {
    /// The owner of a session; `nil` if the text is not the secret of a session that goes on.
    ///
    /// What was revoked, by this server or another one, is dead within a second.
    ///
    /// - Parameters:
    ///   - text: the secret of the session, such as from a cookie.
    ///   - origin: the address that is noted as the last one, at most once a minute.
    package func principal(session text: String, from origin: RequestOrigin) async throws -> Principal? {
        guard let secret = Secret(.session, parsing: text) else { return nil }
        let digest = secret.digest
        return try await principal(digest) { [self] now in
            guard let found = try await database.read({ db in try SessionRows.find(digest, at: now, db) }) else {
                return nil
            }
            if now - found.session.lastUsedAt >= SessionRows.noteInterval {
                await noteUse(of: found.session, from: origin, at: now)
            }
            return .session(found.member, found.session.id)
        }
    }

    /// The owner of a bearer token: an API token, or the secret of a session for programs without cookies; `nil` if it
    /// is neither.
    package func principal(bearer text: String, from origin: RequestOrigin) async throws -> Principal? {
        guard Secret(.apiToken, parsing: text) != nil else { return try await principal(session: text, from: origin) }
        return try await principal(apiToken: text, from: origin)
    }

    /// The owner of an API token; `nil` if the text is not one.
    package func principal(apiToken text: String, from origin: RequestOrigin) async throws -> Principal? {
        guard let secret = Secret(.apiToken, parsing: text) else { return nil }
        let digest = secret.digest
        return try await principal(digest) { [self] now in
            let found = try await token(digest, .apiToken, from: origin, at: now)?.principal
            logIns.add(.token, found == nil ? .failure : .success)
            return found
        }
    }

    /// The owner of an app password; `nil` if it is not one of the account.
    ///
    /// - Parameters:
    ///   - name: username or e-mail address, in any case.
    ///   - password: the app password. The account's own password is not accepted.
    ///   - origin: the address that is noted as the last one, at most once a minute.
    package func principal(
        _ name: String, appPassword password: String, from origin: RequestOrigin
    ) async throws -> Principal? {
        guard let secret = Secret(.appPassword, parsing: password), let name = try? LogInName(name) else { return nil }
        let digest = secret.digest
        // The name belongs to the question, so it belongs to the answer that is kept.
        return try await principal(SecretDigest(of: "\(secret.text) \(name.column) \(name.key)")) { [self] now in
            var principal: Principal?
            if let found = try await token(digest, .appPassword, from: origin, at: now) {
                let owner = try await database.read { db in try AccountRows.account(name, db) }
                if owner?.id == found.member.id { principal = found.principal }
            }
            logIns.add(.token, principal == nil ? .failure : .success)
            return principal
        }
    }

    private func token(
        _ digest: SecretDigest, _ kind: TokenKind, from origin: RequestOrigin, at now: WallClockTime
    ) async throws -> TokenRows.Found? {
        let found = try await database.read { db in try TokenRows.find(digest, kind, at: now, db) }
        guard let found else { return nil }
        if found.token.lastUsedAt.map({ now - $0 >= TokenRows.noteInterval }) ?? true {
            let (id, address) = (found.token.id, origin.address)
            // The caller's secret is right, even if the database takes no changes.
            _ = try? await database.write(durability: .soon) { db in
                try TokenRows.noteUse(id, address: address, at: now, db)
            }
        }
        return found
    }

    private func noteUse(of session: Session, from origin: RequestOrigin, at now: WallClockTime) async {
        let settings = settings
        let idleTime = session.isPersistent ? settings.persistentIdleTime : settings.sessionIdleTime
        let (id, address, idleAt) = (session.id, origin.address, min(now + idleTime, session.expiresAt))
        _ = try? await database.write(durability: .soon) { db in
            try SessionRows.noteUse(id, address: address, idleAt: idleAt, at: now, db)
        }
    }

    private func principal(
        _ digest: SecretDigest, ask: (WallClockTime) async throws -> Principal?
    ) async throws -> Principal? {
        let askedAt = uptime()
        if let known = cache.principal(digest, now: askedAt) { return known }
        guard let found = try await ask(wallClock.now()) else { return nil }
        cache.note(found, digest, askedAt: askedAt)
        return found
    }

    /// The owner of an account as the rules of permission see somebody who has logged in, for what the server does on
    /// their behalf while they are away; `nil` if the account is not active, or was deleted.
    package func absentPrincipal(of user: UserID) async throws -> Principal? {
        let now = wallClock.now()
        return try await database.read { db -> Principal? in
            guard let account = try AccountRows.account(user, db), account.isUsable(at: now) else { return nil }
            return .session(
                Member(
                    id: account.id, username: account.username, role: account.role,
                    channelGrants: try MemberRows.channelGrants(user, db)), OpaqueID())
        }
    }

    // MARK: Sessions

    /// The sessions of the caller's account, newest first.
    package func sessions(of caller: Caller) async throws -> [Session] {
        let (member, _) = try ownSession(caller)
        let now = wallClock.now()
        return try await database.read { db in try SessionRows.sessions(of: member.id, at: now, db) }
    }

    /// The number of sessions of all accounts that have not ended.
    package func sessionCount() async throws -> Int {
        let now = wallClock.now()
        return try await database.read { db in try SessionRows.count(at: now, db) }
    }

    /// Ends the caller's session.
    package func logOut(_ caller: Caller) async throws {
        let (member, session) = try ownSession(caller)
        let now = wallClock.now()
        try await database.write { db in
            guard try SessionRows.delete(session, of: member.id, db) else { return }
            try AuditRows.append(
                .loggedOut, by: caller.principal, from: caller.origin, subject: member.id, at: now, db)
        }
        cache.forget(member.id)
    }

    /// Ends one of the sessions of the caller's account.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func endSession(_ id: OpaqueID, by caller: Caller) async throws {
        let (member, _) = try ownSession(caller)
        let now = wallClock.now()
        try await database.write { db in
            guard try SessionRows.delete(id, of: member.id, db) else {
                throw Refusal(.notFound, "your account has no such session")
            }
            try AuditRows.append(
                .sessionRevoked, by: caller.principal, from: caller.origin, subject: member.id, at: now, db)
        }
        cache.forget(member.id)
    }

    /// Ends all sessions of the caller's account.
    ///
    /// - Parameters:
    ///   - keepsThis: whether the caller's own session goes on.
    ///   - caller: somebody who has logged in.
    /// - Returns: the number of sessions that have ended.
    @discardableResult package func endAllSessions(keepsThis: Bool, by caller: Caller) async throws -> Int {
        let (member, session) = try ownSession(caller)
        let now = wallClock.now()
        let count = try await database.write { db in
            try ChallengeRows.deleteAll(of: member.id, db)
            let count = try SessionRows.deleteAll(of: member.id, besides: keepsThis ? session : nil, db)
            try AuditRows.append(
                .allSessionsRevoked, by: caller.principal, from: caller.origin, subject: member.id,
                before: "\(count)", at: now, db)
            return count
        }
        cache.forget(member.id)
        return count
    }
}
