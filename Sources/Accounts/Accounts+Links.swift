import Database
package import MediaCore

extension Accounts {
    /// The last links of a purpose that were mailed to an account, all of which can be used.
    static let mailedLinkCount = 3

    // MARK: E-mail

    /// Confirms an e-mail address. An account that has waited for it can be used from now on, or waits for approval.
    ///
    /// - Parameters:
    ///   - link: the text of the link that was sent to the address.
    ///   - origin: the address that the limit of wrong links holds for.
    /// - Throws: `Refusal` with `linkNotValid`, or `emailTaken` if another account has the address by now.
    package func confirmEmail(_ link: String, from origin: RequestOrigin) async throws -> Account {
        let secret = try parse(link, from: origin)
        let now = wallClock.now()
        let caller = Caller(.anonymous, origin)
        let needsApproval = settings.registration == .approval
        let account = try await database.write { db in
            let link = try LinkRows.consume(secret, .emailConfirmation, at: now, db)
            guard let user = link.user, let email = link.email.flatMap({ try? EmailAddress($0) }) else {
                throw LinkRows.notValid
            }
            if try AccountRows.isTaken(email, by: user, db) { throw Self.emailTaken(email) }
            // Of several that were mailed, one is followed.
            try LinkRows.delete(.emailConfirmation, of: user, db)
            try Self.setEmail(email, isConfirmed: true, of: user, by: caller, at: now, db)
            let account = try AccountRows.required(user, db)
            if account.state == .awaitingConfirmation {
                let state: AccountState = needsApproval && link.role == nil ? .awaitingApproval : .active
                try AccountRows.update(user, [("state", .text(state.rawValue))], db)
            }
            return try AccountRows.required(user, db)
        }
        limits.codeSucceeded(from: origin.group)
        return account
    }

    /// Counts a request for mail to an address, before anybody looks up whether there is such an account: the answer to
    /// the request is the same, and takes the same time, in both cases.
    ///
    /// - Parameters:
    ///   - email: what was typed.
    ///   - origin: the address that the limit of mails holds for.
    /// - Throws: `Refusal` with `notAvailable` if the server cannot send mail, `invalidEmail` or
    ///   `tooManyAttempts`.
    package func admitMail(to email: String, from origin: RequestOrigin) throws(Refusal) -> EmailAddress {
        guard settings.confirmsEmail else {
            throw Refusal(.notAvailable, "this server cannot send mail; ask an administrator for a link")
        }
        let email = try EmailAddress(email)
        try limits.admitMail(to: email.key, from: origin.group)
        return email
    }

    /// Makes the link again that confirms the address of an account that waits for it.
    ///
    /// - Parameter email: an address that `admitMail(to:from:)` has admitted.
    /// - Returns: the link, which has to be sent to its ``OneTimeLink/email``; `nil` if there is no such account.
    package func resendConfirmation(to email: EmailAddress) async throws -> AccountLink? {
        let now = wallClock.now()
        let name = try LogInName(email.text)
        let needsApproval = settings.registration == .approval
        return try await database.write { db in
            guard let account = try AccountRows.account(name, db), account.state == .awaitingConfirmation else {
                return nil
            }
            try LinkRows.deleteMailed(.emailConfirmation, of: account.id, keeping: Self.mailedLinkCount - 1, db)
            return AccountLink(
                account: account,
                link: try LinkRows.create(
                    .emailConfirmation, user: account.id, email: account.email,
                    role: needsApproval ? nil : account.role, at: now, db))
        }
    }

    // MARK: Passwords

    /// Makes a link with which the owner of an address sets a new password. The last `mailedLinkCount` of them work.
    ///
    /// - Parameter email: an address that `admitMail(to:from:)` has admitted.
    /// - Returns: the link, which has to be sent to its ``OneTimeLink/email``; `nil` if there is no such account.
    package func requestPasswordReset(for email: EmailAddress) async throws -> AccountLink? {
        let now = wallClock.now()
        let name = try LogInName(email.text)
        return try await database.write { db in
            guard let account = try AccountRows.account(name, db), !account.isSuspended(at: now) else {
                return nil
            }
            // Anybody who knows the address may ask. That must not end the link that the owner is about to follow, nor
            // one that an administrator has handed over.
            try LinkRows.deleteMailed(.passwordReset, of: account.id, keeping: Self.mailedLinkCount - 1, db)
            return AccountLink(
                account: account,
                link: try LinkRows.create(.passwordReset, user: account.id, email: account.email, at: now, db))
        }
    }

    /// Makes a link with which somebody sets a new password, for an administrator to hand over.
    ///
    /// - Throws: `Refusal` with `notFound` or `forbidden`.
    package func passwordResetLink(for user: UserID, by caller: Caller) async throws -> NewLink {
        try requirePerson(caller, besides: user)
        let now = wallClock.now()
        return try await database.write { db in
            _ = try AccountRows.required(user, db)
            try LinkRows.delete(.passwordReset, of: user, db)
            try AuditRows.append(
                .linkCreated, by: caller.principal, from: caller.origin, subject: user,
                after: LinkPurpose.passwordReset.rawValue, at: now, db)
            return try LinkRows.create(.passwordReset, user: user, at: now, db)
        }
    }

    /// Sets a new password with a one-time link, and ends all sessions, tokens, devices and browsers for push messages
    /// of the account, because somebody else may have used it, too. Nobody is logged in by it, so that a second factor
    /// is still asked for.
    ///
    /// - Returns: the account, whose owner should hear of the change.
    /// - Throws: `Refusal` with `linkNotValid` or `invalidPassword`, after which the link can be used again.
    @discardableResult package func resetPassword(
        _ link: String, to new: String, from origin: RequestOrigin
    ) async throws -> Account {
        let secret = try parse(link, from: origin)
        let now = wallClock.now()
        let account = try await database.read { db -> Account in
            guard let user = try LinkRows.link(secret, .passwordReset, at: now, db)?.user else {
                throw LinkRows.notValid
            }
            return try AccountRows.required(user, db)
        }
        limits.codeSucceeded(from: origin.group)
        let password = try passwordRules.check(new, names: [account.username, account.email ?? ""])
        let hash = try await hasher.hash(password)
        try await database.write { db in
            let link = try LinkRows.consume(secret, .passwordReset, at: now, db)
            try Self.setPassword(hash, of: account.id, at: now, db)
            try self.endCredentials(of: account.id, db)
            // The link has reached the owner of the address.
            if let email = link.email, email == account.email, account.emailConfirmedAt == nil {
                try AccountRows.update(account.id, [("emailConfirmedAt", .time(now))], db)
            }
            try AuditRows.append(.passwordReset, by: .anonymous, from: origin, subject: account.id, at: now, db)
        }
        cache.forget(account.id)
        return account
    }

    // MARK: Invitations

    /// Makes a link with which somebody signs up.
    ///
    /// - Parameters:
    ///   - role: the role of the new account.
    ///   - email: whom the link is for, for the list of invitations.
    ///   - caller: somebody who may administer accounts.
    package func invite(role: Role, email: String? = nil, by caller: Caller) async throws -> NewLink {
        if role == .administrator { try requirePerson(caller) }
        let address = try email.map { (text) throws(Refusal) in try EmailAddress(text) }
        let now = wallClock.now()
        return try await database.write { db in
            try AuditRows.append(
                .linkCreated, by: caller.principal, from: caller.origin,
                after: "\(LinkPurpose.invitation.rawValue) (\(role.rawValue))", at: now, db)
            return try LinkRows.create(.invitation, email: address?.text, role: role, at: now, db)
        }
    }

    /// The invitations that nobody has used, newest first, 100 at most.
    package func invitations() async throws -> [OneTimeLink] {
        let now = wallClock.now()
        return try await database.read { db in
            try LinkRows.links(.invitation, limit: ListPage<OneTimeLink>.maximumSize, at: now, db)
        }
    }

    /// Ends an invitation.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func revokeInvitation(_ id: OpaqueID, by caller: Caller) async throws {
        let now = wallClock.now()
        try await database.write { db in
            guard try LinkRows.delete(id, .invitation, db) else {
                throw Refusal(.notFound, "there is no such invitation")
            }
            try AuditRows.append(
                .linkRevoked, by: caller.principal, from: caller.origin, before: LinkPurpose.invitation.rawValue,
                at: now, db)
        }
    }

    /// Counts an attempt with a link, which is taken back if it is valid.
    private func parse(_ link: String, from origin: RequestOrigin) throws(Refusal) -> Secret {
        try limits.admitCode(from: origin.group)
        guard let secret = Secret(.link, parsing: link) else { throw LinkRows.notValid }
        return secret
    }
}
