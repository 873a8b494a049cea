import Database
import MediaCore

extension Accounts {
    /// Makes an API token or app password. It has the rights of its owner at the time of each use, within its scope.
    ///
    /// - Parameters:
    ///   - request: what it should be.
    ///   - user: its owner; the caller's account if `nil`. Others need an administrator.
    ///   - password: the caller's password, for a token with one of ``ActionSet/confirmedByPassword``. An account
    ///     without a password has to have logged in recently instead. The server's own machine needs none.
    ///   - caller: somebody who has logged in, or the server's own machine.
    /// - Returns: the token with its secret, which is not stored.
    /// - Throws: `Refusal` with `invalidField`, `tooMany`, `notFound`, `forbidden`, `passwordNeeded`,
    ///   `wrongCredentials`, `loginNeeded` or `tooManyAttempts`.
    package func createToken(
        _ request: TokenRequest, for user: UserID? = nil, password: String?, by caller: Caller
    ) async throws -> NewToken {
        let owner = try tokenOwner(user, caller)
        let now = wallClock.now()
        let request = try request.checked(at: now)
        if caller.principal.session != nil, !request.scope.actions.isDisjoint(with: .confirmedByPassword) {
            _ = try await confirm(password, by: caller)
        }
        return try await database.write { db in
            _ = try AccountRows.required(owner, db)
            let secret = Secret(request.kind.secretKind)
            let token = AccessToken(
                id: OpaqueID(), kind: request.kind, user: owner, name: request.name, scope: request.scope,
                createdAt: now, expiresAt: request.expiresAt)
            try TokenRows.insert(token, secret, db)
            try AuditRows.append(
                .tokenCreated, by: caller.principal, from: caller.origin, subject: owner,
                after: "\(token.name) (\(token.kind.rawValue), \(token.scope.actions))", at: now, db)
            return NewToken(token: token, secret: secret)
        }
    }

    /// The API tokens and app passwords of an account, newest first.
    ///
    /// - Parameters:
    ///   - user: their owner; the caller's account if `nil`. Others need an administrator.
    ///   - caller: somebody who has logged in, or the server's own machine.
    package func tokens(of user: UserID? = nil, by caller: Caller) async throws -> [AccessToken] {
        let owner = try tokenOwner(user, caller)
        return try await database.read { db in
            _ = try AccountRows.required(owner, db)
            return try TokenRows.tokens(of: owner, db)
        }
    }

    /// Ends a token or app password.
    ///
    /// - Parameters:
    ///   - id: the token.
    ///   - user: its owner; the caller's account if `nil`.
    ///   - caller: somebody who has logged in, or the server's own machine.
    /// - Throws: `Refusal` with `notFound` or `forbidden`.
    package func revokeToken(_ id: OpaqueID, of user: UserID? = nil, by caller: Caller) async throws {
        let owner = try tokenOwner(user, caller)
        let now = wallClock.now()
        try await database.write { db in
            guard let name = try TokenRows.delete(id, of: owner, db) else {
                throw Refusal(.notFound, "the account has no such token")
            }
            try AuditRows.append(
                .tokenRevoked, by: caller.principal, from: caller.origin, subject: owner, before: name, at: now, db)
        }
        cache.forget(owner)
    }

    /// Tokens do not make tokens, not even an administrator's: one that leaks would outlive its end.
    private func tokenOwner(_ user: UserID?, _ caller: Caller) throws(Refusal) -> UserID {
        if case .machine = caller.principal {
            guard let user else { throw Refusal(.invalidField, "name the token's owner", fields: ["user"]) }
            return user
        }
        let (member, _) = try ownSession(caller)
        guard let user, user != member.id else { return member.id }
        try require(caller.principal, .administer, .accounts)
        return user
    }
}
