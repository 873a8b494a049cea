import Database
import MediaCore

extension Accounts {
    /// The caller's own account.
    package func account(of caller: Caller) async throws -> Account {
        let member = try caller.requireMember()
        try require(caller.principal, .read, .account(member.id))
        return try await database.read { db in try AccountRows.required(member.id, db) }
    }

    /// Replaces what the caller says about themselves; see ``changeProfile(from:by:_:)``.
    ///
    /// - Parameters:
    ///   - profile: all fields.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: somebody who has logged in.
    package func changeProfile(
        _ profile: Profile, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Account {
        try await changeProfile(from: revisions, by: caller) { _ in profile }
    }

    /// Changes what the caller says about themselves.
    ///
    /// - Parameters:
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: somebody who has logged in.
    ///   - change: makes the new profile of the present one.
    /// - Throws: `Refusal` with `missingFields`, `invalidField` or `changedMeanwhile`; what `change` throws.
    package func changeProfile(
        from revisions: Set<Int64>?, by caller: Caller,
        _ change: @escaping @Sendable (Profile) throws -> Profile
    ) async throws -> Account {
        let (member, _) = try ownSession(caller)
        let (settings, now) = (settings, wallClock.now())
        let account = try await database.write { db in
            let before = try AccountRows.required(member.id, db)
            try Self.require(revisions, before)
            let profile = try change(before.profile).checked()
            if let error = NewAccount.missing(email: before.email, profile, settings) { throw error }
            try AccountRows.update(
                member.id,
                [
                    ("name", SQLValue(profile.name)), ("mobile", SQLValue(profile.mobile)),
                    ("city", SQLValue(profile.city)), ("country", SQLValue(profile.country)),
                    ("language", SQLValue(profile.language)),
                ], db)
            try AuditRows.append(
                .profileChanged, by: caller.principal, from: caller.origin, subject: member.id,
                before: Self.text(before.profile), after: Self.text(profile), at: now, db)
            return try AccountRows.required(member.id, db)
        }
        // The next page is in the language that was chosen.
        cache.forget(member.id)
        return account
    }

    /// Changes the account's photo.
    ///
    /// - Parameters:
    ///   - photo: `nil` removes it.
    ///   - caller: somebody who has logged in.
    package func changePhoto(to photo: AccountPhoto?, by caller: Caller) async throws -> Account {
        let (member, _) = try ownSession(caller)
        let now = wallClock.now()
        return try await database.write { db in
            let account = try AccountRows.required(member.id, db)
            return try Self.setPhoto(photo, of: account, by: caller.principal, from: caller.origin, at: now, db)
        }
    }

    private static func setPhoto(
        _ photo: AccountPhoto?, of account: Account, by principal: Principal, from origin: RequestOrigin,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Account {
        try AccountRows.update(account.id, [("photo", SQLValue(photo?.version))], db)
        try PhotoRows.set(photo, of: account.id, db)
        try AuditRows.append(
            .photoChanged, by: principal, from: origin, subject: account.id, before: account.photo,
            after: photo?.version, at: now, db)
        return try AccountRows.required(account.id, db)
    }

    /// Gives an account that was just registered its first photo, also while it waits for a confirmation.
    ///
    /// - Parameters:
    ///   - photo: the photo.
    ///   - account: the account that ``register(_:identity:from:)`` has made for the same request.
    ///   - origin: where the request came from.
    /// - Returns: the account as it is now.
    package func setFirstPhoto(
        _ photo: AccountPhoto, of account: Account, from origin: RequestOrigin
    ) async throws -> Account {
        let now = wallClock.now()
        return try await database.write { db in
            let current = try AccountRows.required(account.id, db)
            guard current.photo == nil else { return current }
            return try Self.setPhoto(photo, of: current, by: .anonymous, from: origin, at: now, db)
        }
    }

    /// The photo of an account, for everybody who has one.
    ///
    /// - Parameters:
    ///   - username: the username, in upper or lower case; `nil` for the caller's own account.
    ///   - caller: somebody with an account.
    /// - Returns: `nil` if there is no such account, or if it has no photo: the answer does not show which.
    package func photo(of username: String? = nil, by caller: Caller) async throws -> AccountPhoto? {
        let member = try caller.requireMember()
        let key = username.map { (try? Username($0))?.key }
        return try await database.read { db in
            switch key {
            case nil: try PhotoRows.photo(of: member.id, db)
            case .some(nil): nil
            case .some(let key?): try PhotoRows.photo(ofUsernameKey: key, db)
            }
        }
    }

    /// Changes the e-mail address, or makes the link that confirms it.
    ///
    /// - Parameters:
    ///   - text: the new address.
    ///   - password: the account's password.
    ///   - caller: somebody who has logged in.
    /// - Returns: the link that has to be sent to the new address, which takes effect when it is followed; `nil` if the
    ///   address was changed at once, because the server cannot send mail.
    package func changeEmail(
        to text: String, password: String?, by caller: Caller
    ) async throws -> NewLink? {
        let email = try EmailAddress(text)
        let member = try await confirm(password, by: caller)
        let (confirms, now) = (settings.confirmsEmail, wallClock.now())
        if confirms { try limits.admitMail(to: email.key, from: caller.origin.group) }
        return try await database.write { db in
            if try AccountRows.isTaken(email, by: member.id, db) { throw Self.emailTaken(email) }
            try LinkRows.delete(.emailConfirmation, of: member.id, db)
            guard !confirms else {
                return try LinkRows.create(.emailConfirmation, user: member.id, email: email.text, at: now, db)
            }
            try Self.setEmail(email, isConfirmed: false, of: member.id, by: caller, at: now, db)
            return nil
        }
    }

    static func setEmail(
        _ email: EmailAddress, isConfirmed: Bool, of user: UserID, by caller: Caller, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        let before = try AccountRows.required(user, db).email
        try AccountRows.update(
            user,
            [
                ("email", .text(email.text)), ("emailKey", .text(email.key)),
                ("emailConfirmedAt", isConfirmed ? .time(now) : .null),
            ], db)
        // Links that were sent to the old address end.
        try LinkRows.delete(.passwordReset, of: user, db)
        try AuditRows.append(
            isConfirmed && before == email.text ? .emailConfirmed : .emailChanged, by: caller.principal,
            from: caller.origin, subject: user, before: before, after: email.text, at: now, db)
    }

    /// Changes the password, and ends all other sessions of the account. An account without one gets its first.
    ///
    /// - Parameters:
    ///   - new: the new password.
    ///   - current: the present password.
    ///   - caller: somebody who has logged in.
    /// - Returns: the account, whose owner should hear of the change.
    @discardableResult package func changePassword(
        to new: String, current: String?, by caller: Caller
    ) async throws -> Account {
        let (member, session) = try ownSession(caller)
        let account = try await database.read { db in try AccountRows.required(member.id, db) }
        let password = try passwordRules.check(new, names: [member.username, account.email ?? ""])
        _ = try await confirm(current, by: caller)
        let hash = try await hasher.hash(password)
        let now = wallClock.now()
        try await database.write { db in
            try Self.setPassword(hash, of: member.id, at: now, db)
            try SessionRows.deleteAll(of: member.id, besides: session, db)
            try AuditRows.append(
                .passwordChanged, by: caller.principal, from: caller.origin, subject: member.id, at: now, db)
        }
        cache.forget(member.id)
        return account
    }

    /// Stores a password, and ends everything that was begun with the old one, but sessions.
    static func setPassword(
        _ hash: PasswordHash, of user: UserID, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try AccountRows.setPassword(hash, of: user, at: now, db)
        try LinkRows.delete(.passwordReset, of: user, db)
        try ChallengeRows.deleteAll(of: user, db)
    }

    /// Deletes the caller's account with sessions, tokens and everything personal. The audit log keeps what was done
    /// and when, without addresses and values.
    ///
    /// - Returns: the account as it was, for others who keep something of it.
    /// - Throws: `Refusal` with `lastAdministrator`.
    @discardableResult package func deleteAccount(password: String?, by caller: Caller) async throws -> Account {
        let member = try await confirm(password, by: caller)
        return try await delete(member.id, by: caller)
    }

    func delete(_ user: UserID, by caller: Caller) async throws -> Account {
        let now = wallClock.now()
        let account = try await database.write { db in
            let account = try AccountRows.required(user, db)
            try Self.requireOtherAdministrator(account, db)
            try AuditRows.append(.accountDeleted, by: caller.principal, from: caller.origin, subject: user, at: now, db)
            try self.prepareRemoval(user, db)
            try AccountRows.delete(user, db)
            try AuditRows.forget(user, db)
            return account
        }
        cache.forget(user)
        return account
    }

    /// - Throws: `Refusal` with `lastAdministrator` if nobody else can administer.
    static func requireOtherAdministrator(_ account: Account, _ db: any SQLConnection) throws {
        guard account.role == .administrator, account.state == .active else { return }
        guard try AccountRows.hasAdministrator(besides: account.id, db) else {
            throw Refusal(
                .lastAdministrator, "this is the only administrator; make somebody else an administrator first")
        }
    }

    /// - Throws: `Refusal` with `changedMeanwhile` if the account has another revision.
    static func require(_ revisions: Set<Int64>?, _ account: Account) throws(Refusal) {
        guard let revisions, !revisions.contains(account.revision) else { return }
        throw Refusal(
            .changedMeanwhile, "the account was changed meanwhile; read it again, and repeat your change")
    }

    private static func text(_ profile: Profile) -> String {
        [profile.name, profile.mobile, profile.city, profile.country, profile.language].map { $0 ?? "-" }
            .joined(separator: ", ")
    }
}
