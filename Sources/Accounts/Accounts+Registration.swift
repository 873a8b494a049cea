package import Database
import MediaCore

extension Accounts {
    /// Signs somebody up.
    ///
    /// - Parameters:
    ///   - registration: what was typed. All fields that are missing or wrong are named at once.
    ///   - identity: who it is with a provider; `nil` for somebody with a password.
    ///   - origin: the address that the limit of 2 sign-ups in 5 minutes holds for.
    /// - Throws: `Refusal`
    package func register(
        _ registration: Registration, identity: NewIdentity? = nil, from origin: RequestOrigin
    ) async throws -> RegistrationOutcome {
        let settings = settings
        let invitation = try invitation(registration, settings)
        let account = try NewAccount(registration, settings, hasPassword: identity == nil)
        try limits.admitSignUpAttempt(from: origin.group)
        // Before the hash, which costs a lot. Checked again below, in the transaction that counts.
        let now = wallClock.now()
        try await database.read { db in
            if let invitation, try LinkRows.link(invitation, .invitation, at: now, db) == nil {
                throw Self.invitationNotValid
            }
            try Self.requireFree(account, db)
        }
        try limits.admitSignUp(from: origin.group)
        do {
            return try await register(account, identity, invitation, from: origin, at: now)
        } catch {
            limits.signUpFailed(from: origin.group)
            throw error
        }
    }

    private func register(
        _ account: NewAccount, _ identity: NewIdentity?, _ invitation: Secret?, from origin: RequestOrigin,
        at now: WallClockTime
    ) async throws -> RegistrationOutcome {
        let settings = settings
        let hash = try await hash(account)
        let verifiedKey = identity?.verifiedEmail.flatMap { try? EmailAddress($0) }?.key
        let isVerified = verifiedKey != nil && verifiedKey == account.email?.key
        return try await creatingAccount { [self] db in
            var role = settings.initialRole
            if let invitation {
                role = try LinkRows.consume(invitation, .invitation, at: now, db).role ?? role
            }
            role = identity?.role ?? role
            let confirms = settings.confirmsEmail && account.email != nil && !isVerified
            let needsApproval = settings.registration == .approval && invitation == nil
            let state: AccountState =
                confirms ? .awaitingConfirmation : needsApproval ? .awaitingApproval : .active
            var created = try insert(account, hash, role, state, by: Caller(.anonymous, origin), at: now, db)
            if let identity {
                try IdentityRows.insert(identity.identity, label: identity.label, of: created.id, at: now, db)
                try AuditRows.append(
                    .identityConnected, by: .anonymous, from: origin, subject: created.id,
                    after: "\(identity.identity.provider): \(identity.label)", at: now, db)
                if isVerified {
                    try AccountRows.update(created.id, [("emailConfirmedAt", .time(now))], db)
                    created = try AccountRows.required(created.id, db)
                }
            }
            var outcome = RegistrationOutcome(account: created)
            if confirms {
                // The role of the link tells the confirmation that nobody has to approve the account.
                outcome.confirmation = try LinkRows.create(
                    .emailConfirmation, user: created.id, email: created.email, role: needsApproval ? nil : role,
                    at: now, db)
            }
            if state == .active {
                outcome.session = try beginSession(
                    created.id, isPersistent: identity?.staysLoggedIn ?? false, from: origin, at: now, db)
            }
            return outcome
        }
    }

    /// Creates an account for somebody, regardless of who may sign up. Required fields may be missing.
    ///
    /// - Parameters:
    ///   - registration: what was typed.
    ///   - role: the role of the account.
    ///   - caller: somebody who may administer accounts.
    /// - Throws: `Refusal`
    package func createAccount(
        _ registration: Registration, role: Role, by caller: Caller
    ) async throws -> Account {
        if role == .administrator { try requirePerson(caller) }
        return try await create(registration, role, by: caller) { _ in }
    }

    // MARK: The first administrator

    /// Makes the link with which the first administrator is created; links that were made before end.
    ///
    /// - Returns: `nil` if there is an administrator.
    package func setUpLink() async throws -> NewLink? {
        let now = wallClock.now()
        return try await database.write { db in
            guard try !AccountRows.hasAdministrator(db) else { return nil }
            try LinkRows.delete(.setUp, of: nil, db)
            return try LinkRows.create(.setUp, role: .administrator, at: now, db)
        }
    }

    /// Whether there is an active account with the role of an administrator.
    package func hasAdministrator() async throws -> Bool {
        try await Self.hasAdministrator(database)
    }

    /// Whether there is an active administrator in a database, which may not have been migrated yet.
    package static func hasAdministrator(_ database: any SQLDatabase) async throws -> Bool {
        try await database.read { db in
            try AccountsSchema.schema.tables.allSatisfy { try db.hasTable($0.name) } && AccountRows.hasAdministrator(db)
        }
    }

    /// Creates the first administrator.
    ///
    /// - Parameters:
    ///   - registration: what was typed.
    ///   - link: the text of a link of ``setUpLink()``.
    ///   - origin: the address that the limit of wrong links holds for.
    /// - Throws: `Refusal` with `linkNotValid` if the link is not valid, or there is an administrator by now.
    package func setUp(
        _ registration: Registration, link: String, from origin: RequestOrigin
    ) async throws -> RegistrationOutcome {
        guard let secret = Secret(.link, parsing: link) else { throw LinkRows.notValid }
        let now = wallClock.now()
        // Nobody computes hashes for strangers without a link.
        try limits.admitCode(from: origin.group)
        let isValid = try await database.read { db in try LinkRows.link(secret, .setUp, at: now, db) != nil }
        guard isValid else { throw LinkRows.notValid }
        limits.codeSucceeded(from: origin.group)
        let account = try await create(registration, .administrator, by: Caller(.anonymous, origin)) { db in
            _ = try LinkRows.consume(secret, .setUp, at: now, db)
            guard try !AccountRows.hasAdministrator(db) else { throw LinkRows.notValid }
        }
        let session = try await database.write { [self] db in
            try beginSession(account.id, isPersistent: false, from: origin, at: now, db)
        }
        return RegistrationOutcome(account: account, session: session)
    }

    // MARK: Parts

    private func create(
        _ registration: Registration, _ role: Role, by caller: Caller,
        first: @escaping @Sendable (any SQLConnection) throws -> Void
    ) async throws -> Account {
        var settings = settings
        settings.requiredFields = []
        let account = try NewAccount(registration, settings)
        let hash = try await hash(account)
        let now = wallClock.now()
        return try await creatingAccount { [self] db in
            try first(db)
            return try insert(account, hash, role, .active, by: caller, at: now, db)
        }
    }

    /// The hash of the account's password; `nil` for an account without one.
    private func hash(_ account: NewAccount) async throws -> PasswordHash? {
        guard let password = account.password else { return nil }
        return try await hasher.hash(password)
    }

    private func insert(
        _ new: NewAccount, _ hash: PasswordHash?, _ role: Role, _ state: AccountState, by caller: Caller,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Account {
        try Self.requireFree(new, db)
        let account = Account(
            id: UserID(), username: new.username.text, email: new.email?.text, emailConfirmedAt: nil,
            profile: new.profile, photo: nil, role: role, state: state, hasPassword: hash != nil, createdAt: now,
            lastLogInAt: nil, revision: 1)
        try AccountRows.insert(account, hash, db)
        try AuditRows.append(
            .accountCreated, by: caller.principal, from: caller.origin, subject: account.id,
            after: "\(account.username) (\(role.rawValue), \(state.rawValue))", at: now, db)
        return account
    }

    private static func requireFree(_ account: NewAccount, _ db: any SQLConnection) throws {
        if try AccountRows.isTaken(account.username, db) {
            throw Refusal(
                .usernameTaken,
                "the username \(Refusal.quoted(account.username.text)) is taken; choose another one",
                fields: ["username"])
        }
        if let email = account.email, try AccountRows.isTaken(email, db) { throw emailTaken(email) }
    }

    static func emailTaken(_ email: EmailAddress) -> Refusal {
        Refusal(
            .emailTaken,
            "an account with the address \(email.text) already exists; log in, or ask for a new password",
            fields: ["email"])
    }

    /// - Throws: `Refusal` if somebody else has taken the name between the look-up and the change.
    private func creatingAccount<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.write(body)
        } catch let error as SQLError where error.code == .constraint {
            throw Refusal(
                .usernameTaken, "the username or the e-mail address was taken a moment ago; choose another one",
                fields: ["username", "email"])
        }
    }

    private func invitation(
        _ registration: Registration, _ settings: AccountsSettings
    ) throws(Refusal) -> Secret? {
        guard settings.registration != .closed else {
            throw Refusal(.registrationClosed, "nobody can sign up here; ask an administrator for an account")
        }
        guard let text = registration.invitation, !text.isEmpty else {
            guard settings.registration != .invitation else {
                throw Refusal(
                    .invitationNeeded, "signing up needs an invitation; ask an administrator for one",
                    fields: ["invitation"])
            }
            return nil
        }
        guard let secret = Secret(.link, parsing: text) else { throw Self.invitationNotValid }
        return secret
    }

    private static var invitationNotValid: Refusal {
        Refusal(
            .invitationNeeded, "the invitation is not valid: it was used before, or it has expired; ask for a new one",
            fields: ["invitation"])
    }
}
