import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import Testing

/// Log-ins with identity providers, after the provider's answer was checked.
@Suite(.eachEngine) struct IdentityTests {
    private static let identity = ExternalIdentity(provider: "school", subject: "42")
    private static let new = NewIdentity(identity, label: "ana@example.org", verifiedEmail: "Ana@example.org")

    private func logIn(_ fixture: AccountsFixture, role: Role? = nil) async throws -> LogInOutcome? {
        try await fixture.accounts.logIn(
            Self.identity, role: role, staysLoggedIn: false, from: fixture.origin())
    }

    private func register(
        _ fixture: AccountsFixture, _ identity: NewIdentity = new, email: String? = "ana@example.org"
    ) async throws -> RegistrationOutcome {
        try await fixture.accounts.register(
            Registration(username: "ana", email: email, password: ""), identity: identity, from: fixture.origin())
    }

    @Test func somebodySignsUpOnceAndLogsInAgain() async throws {
        let fixture = try await AccountsFixture()
        #expect(try await logIn(fixture) == nil)
        let outcome = try await register(fixture)
        let account = outcome.account
        #expect(!account.hasPassword && account.emailConfirmedAt != nil && outcome.session != nil)
        guard case .session(let session) = try await logIn(fixture) else {
            Issue.record("no session")
            return
        }
        #expect(session.member.id == account.id)
        let caller = Caller(session.principal, fixture.origin())
        let connected = try await fixture.accounts.identities(of: caller)
        #expect(connected.map(\.identity) == [Self.identity] && connected.first?.lastUsedAt != nil)
        // No password opens it, not even the empty one.
        for password in ["", AccountsFixture.password] {
            #expect(
                await fixture.code { _ = try await fixture.logIn("ana", password: password) } == .wrongCredentials)
        }
        #expect(await fixture.code { _ = try await register(fixture) } == .usernameTaken)
    }

    @Test func theProposedNameIsFree() async throws {
        let fixture = try await AccountsFixture()
        let accounts = fixture.accounts
        #expect(try await accounts.freeUsername(like: Username("Ana"))?.text == "Ana")
        _ = try await fixture.account("ana")
        #expect(try await accounts.freeUsername(like: Username("Ana"))?.text == "Ana2", "unique without case")
        for number in 2...9 { _ = try await fixture.account("ana\(number)") }
        #expect(try await accounts.freeUsername(like: Username("Ana")) == nil)
        let long = String(repeating: "a", count: Username.maximumCharacterCount)
        _ = try await fixture.account(long)
        #expect(try await accounts.freeUsername(like: Username(long))?.text == long.dropLast() + "2")
    }

    @Test(arguments: [true, false]) func whoSignsUpStaysLoggedInIfChosen(stays: Bool) async throws {
        let fixture = try await AccountsFixture()
        var new = Self.new
        new.staysLoggedIn = stays
        let outcome = try await register(fixture, new)
        #expect(outcome.session?.session.isPersistent == stays)
    }

    @Test func anAddressThatTheProviderHasNotCheckedIsConfirmed() async throws {
        let fixture = try await AccountsFixture { $0.confirmsEmail = true }
        let outcome = try await register(fixture, NewIdentity(Self.identity, label: "ana"))
        #expect(outcome.account.state == .awaitingConfirmation && outcome.confirmation != nil)
        #expect(await fixture.code { _ = try await logIn(fixture) } == .accountPending)
        // Another address than the one that was checked is not checked either.
        let other = try await AccountsFixture { $0.confirmsEmail = true }
        #expect(try await register(other, email: "eva@example.org").account.state == .awaitingConfirmation)
        let checked = try await AccountsFixture { $0.confirmsEmail = true }
        #expect(try await register(checked).account.state == .active)
    }

    @Test func anEqualAddressConnectsNothing() async throws {
        let fixture = try await AccountsFixture()
        let eva = try await fixture.caller("eva", email: "ana@example.org")
        #expect(try await logIn(fixture) == nil)
        #expect(await fixture.code { _ = try await register(fixture) } == .emailTaken)
        #expect(
            await fixture.code {
                try await fixture.accounts.connect(Self.new, password: "wrong", by: eva)
            } == .wrongCredentials)
        try await fixture.accounts.connect(Self.new, password: AccountsFixture.password, by: eva)
        guard case .session(let session) = try await logIn(fixture) else {
            Issue.record("no session")
            return
        }
        #expect(session.member.username == "eva")
        // An identity belongs to one account.
        let other = try await fixture.caller("bea")
        #expect(
            await fixture.code {
                try await fixture.accounts.connect(Self.new, password: AccountsFixture.password, by: other)
            } == .conflict)
        try await fixture.accounts.disconnect(Self.identity, password: AccountsFixture.password, by: eva)
        #expect(try await logIn(fixture) == nil)
        #expect(
            await fixture.code {
                try await fixture.accounts.disconnect(Self.identity, password: AccountsFixture.password, by: eva)
            } == .notFound)
    }

    @Test func theLastWayToLogInStays() async throws {
        let fixture = try await AccountsFixture()
        let session = try #require(try await register(fixture).session)
        let caller = Caller(session.principal, fixture.origin())
        #expect(
            await fixture.code {
                try await fixture.accounts.disconnect(Self.identity, password: nil, by: caller)
            } == .noPassword)
        #expect(try await fixture.accounts.identities(of: caller).count == 1)
        // With a passkey it may go, but then the passkey stays.
        let passkey = OpaqueID()
        try await fixture.database.write { db in
            try db.execute(
                """
                INSERT INTO passkey(id, credentialID, userID, name, publicKey, signatureCount, isBackupEligible, createdAt)
                VALUES (?1, ?2, ?3, 'key', ?2, 0, 0, 1)
                """, .text(passkey.text), .blob([1]), .text(session.member.id.text))
        }
        try await fixture.accounts.disconnect(Self.identity, password: nil, by: caller)
        #expect(
            await fixture.code {
                try await fixture.accounts.removePasskey(passkey, password: nil, by: caller)
            } == .noPassword)
        try await fixture.accounts.connect(Self.new, password: nil, by: caller)
        try await fixture.accounts.changePassword(to: AccountsFixture.password, current: nil, by: caller)
        try await fixture.accounts.disconnect(Self.identity, password: AccountsFixture.password, by: caller)
        _ = try await fixture.logIn("ana", password: AccountsFixture.password)
    }

    @Test func theProviderDecidesTheRoleButForTheLastAdministrator() async throws {
        let fixture = try await AccountsFixture()
        let boss = NewIdentity(Self.identity, label: "ana", role: .administrator)
        #expect(try await register(fixture, boss, email: nil).account.role == .administrator)
        func role(_ decided: Role) async throws -> Role? {
            guard case .session(let session) = try await logIn(fixture, role: decided) else { return nil }
            return session.member.role
        }
        #expect(try await role(.member) == .administrator)
        _ = try await fixture.account("eva", .administrator)
        #expect(try await role(.member) == .member)
        #expect(try await role(.broadcaster) == .broadcaster)
    }

    @Test func aSecondFactorIsStillAskedForAndSuspensionHolds() async throws {
        let fixture = try await AccountsFixture()
        let ana = try await fixture.caller("ana")
        try await fixture.accounts.connect(Self.new, password: AccountsFixture.password, by: ana)
        let id = try #require(ana.principal.member?.id)
        _ = try await fixture.accounts.suspend(id, by: fixture.machine)
        #expect(await fixture.code { _ = try await logIn(fixture) } == .accountSuspended)
        _ = try await fixture.accounts.restore(id, by: fixture.machine)
        try await fixture.database.write { db in
            try db.execute(
                """
                INSERT INTO secondFactor(userID, sealedKey, confirmedAt, lastStep, failureCount, nextTryAt)
                VALUES (?1, ?2, 1, 0, 0, 0)
                """, .text(id.text), .blob([1]))
        }
        guard case .secondFactorNeeded = try await logIn(fixture) else {
            Issue.record("the second factor was left out")
            return
        }
    }

    @Test func theRegistrationPolicyHolds() async throws {
        let closed = try await AccountsFixture { $0.registration = .closed }
        #expect(await closed.code { _ = try await register(closed) } == .registrationClosed)
        let invited = try await AccountsFixture { $0.registration = .invitation }
        #expect(await invited.code { _ = try await register(invited) } == .invitationNeeded)
        let approved = try await AccountsFixture { $0.registration = .approval }
        #expect(try await register(approved).account.state == .awaitingApproval)
        let strict = try await AccountsFixture { $0.requiredFields = [.city] }
        #expect(await strict.code { _ = try await register(strict) } == .missingFields)
    }
}
