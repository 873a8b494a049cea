import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct RegistrationTests {
    private func registration(_ name: String, email: String? = nil, invitation: String? = nil) -> Registration {
        Registration(
            username: name, email: email, password: AccountsFixture.password, invitation: invitation)
    }

    @Test func whoSignsUpIsLoggedIn() async throws {
        let fixture = try await AccountsFixture()
        let outcome = try await fixture.accounts.register(
            registration("Ana", email: "ana@example.org"), from: fixture.origin())
        #expect(outcome.account.state == .active && outcome.account.role == .member)
        let session = try #require(outcome.session)
        let principal = try await fixture.accounts.principal(session: session.secret.text, from: fixture.origin())
        #expect(principal == session.principal && principal?.member?.id == outcome.account.id)
        _ = try await fixture.logIn("ANA")
        _ = try await fixture.logIn(" Ana@EXAMPLE.org")
    }

    @Test func namesAndAddressesAreUniqueWithoutCase() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("José", email: "jose@example.org")
        for (name, email, code) in [
            ("JOSE\u{301}", "other@example.org", Refusal.Code.usernameTaken),
            ("other", "JOSE@example.ORG", .emailTaken),
        ] {
            #expect(
                await fixture.code {
                    _ = try await fixture.accounts.register(registration(name, email: email), from: fixture.origin())
                } == code)
        }
        // Accounts without an address do not collide.
        try await fixture.account("eva")
        try await fixture.account("eloy")
    }

    @Test func ofTwoAtOnceOneGetsTheName() async throws {
        let fixture = try await AccountsFixture()
        let codes = await withTaskGroup(of: Refusal.Code?.self) { group in
            for number in 1...2 {
                group.addTask {
                    await fixture.code {
                        _ = try await fixture.accounts.register(
                            registration("ana"), from: fixture.origin("192.0.2.\(number)"))
                    }
                }
            }
            return await group.reduce(into: [Refusal.Code?]()) { $0.append($1) }
        }
        #expect(codes.contains(nil) && codes.contains(.usernameTaken))
        #expect(try await fixture.count("account") == 1)
    }

    @Test func everythingThatIsMissingOrWrongIsNamedAtOnce() async throws {
        let fixture = try await AccountsFixture { $0.requiredFields = [.email, .mobile, .country] }
        let wrong = Registration(username: "a b", password: "12345", profile: Profile(name: "Ana", mobile: " "))
        let error = await #expect(throws: Refusal.self) {
            _ = try await fixture.accounts.register(wrong, from: fixture.origin())
        }
        #expect(error?.fields == ["username", "password", "email", "mobile", "country"])
        #expect(try await fixture.count("account") == 0)
        // Mistakes in the form do not use up the two sign-ups.
        for name in ["ana", "eva"] {
            var right = registration(name, email: "\(name)@example.org")
            right.profile = Profile(mobile: "600 123 456", country: "España")
            _ = try await fixture.accounts.register(right, from: fixture.origin())
        }
        let third = registration("eloy", email: "eloy@example.org")
        #expect(
            await fixture.code { _ = try await fixture.accounts.register(third, from: fixture.origin()) }
                == .missingFields)
    }

    @Test func thereAreTwoSignUpsInFiveMinutes() async throws {
        let fixture = try await AccountsFixture()
        for name in ["a1", "a2"] { _ = try await fixture.accounts.register(registration(name), from: fixture.origin()) }
        let error = await #expect(throws: Refusal.self) {
            _ = try await fixture.accounts.register(registration("a3"), from: fixture.origin())
        }
        #expect(error?.code == .tooManyAttempts && error?.retryAfter == .seconds(300))
        _ = try await fixture.accounts.register(registration("a3"), from: fixture.origin("192.0.2.2"))
        fixture.clock.advance(by: .seconds(300))
        _ = try await fixture.accounts.register(registration("a4"), from: fixture.origin())
    }

    @Test func namesCannotBeTriedWithoutEnd() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        for number in 0..<11 {
            let code = await fixture.code {
                _ = try await fixture.accounts.register(registration("ana"), from: fixture.origin())
            }
            #expect(code == (number < 10 ? .usernameTaken : .tooManyAttempts))
        }
    }

    @Test func nobodyKeepsAnAddressThatTheyDoNotConfirm() async throws {
        let fixture = try await AccountsFixture { $0.confirmsEmail = true }
        _ = try await fixture.accounts.register(
            registration("ana", email: "eva@example.org"), from: fixture.origin())
        fixture.clock.advance(by: .seconds(7 * 24 * 3_600 + 1))
        try await fixture.accounts.maintain()
        _ = try await fixture.accounts.register(
            registration("eva", email: "eva@example.org"), from: fixture.origin())
        #expect(try await fixture.count("account") == 1)
    }

    @Test func anAccountWaitsForApproval() async throws {
        let fixture = try await AccountsFixture { $0.registration = .approval }
        let outcome = try await fixture.accounts.register(registration("ana"), from: fixture.origin())
        #expect(outcome.account.state == .awaitingApproval && outcome.session == nil)
        #expect(await fixture.code { _ = try await fixture.logIn("ana") } == .accountPending)
        // Only who knows the password learns about it.
        #expect(
            await fixture.code { _ = try await fixture.logIn("ana", password: "wrong horse") } == .wrongCredentials)
        #expect(
            try await fixture.accounts.accounts(AccountFilter(state: .awaitingApproval)).items
                .map(\.username) == ["ana"])
        _ = try await fixture.accounts.approve(outcome.account.id, by: fixture.machine)
        _ = try await fixture.logIn("ana")
        #expect(
            await fixture.code { _ = try await fixture.accounts.approve(outcome.account.id, by: fixture.machine) }
                == .conflict)
    }

    @Test func anInvitationIsForOneAccount() async throws {
        let fixture = try await AccountsFixture { $0.registration = .invitation }
        #expect(
            await fixture.code { _ = try await fixture.accounts.register(registration("ana"), from: fixture.origin()) }
                == .invitationNeeded)
        let link = try await fixture.accounts.invite(role: .broadcaster, by: fixture.machine)
        let invited = registration("ana", invitation: link.secret.text)
        let outcome = try await fixture.accounts.register(invited, from: fixture.origin())
        #expect(outcome.account.role == .broadcaster && outcome.account.state == .active)
        let again = registration("eva", invitation: link.secret.text)
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.register(again, from: fixture.origin("192.0.2.2"))
            } == .invitationNeeded)
        let second = try await fixture.accounts.invite(role: .member, email: "eva@example.org", by: fixture.machine)
        let listed = try await fixture.accounts.invitations()
        #expect(listed == [second.link])
        try await fixture.accounts.revokeInvitation(second.link.id, by: fixture.machine)
        let revoked = registration("eva", invitation: second.secret.text)
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.register(revoked, from: fixture.origin("192.0.2.2"))
            } == .invitationNeeded)
        let third = try await fixture.accounts.invite(role: .member, by: fixture.machine)
        fixture.clock.advance(by: LinkPurpose.invitation.lifetime)
        let expired = registration("eva", invitation: third.secret.text)
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.register(expired, from: fixture.origin("192.0.2.2"))
            } == .invitationNeeded)
    }

    @Test func nobodySignsUpOnAClosedServer() async throws {
        let fixture = try await AccountsFixture { $0.registration = .closed }
        let link = try await fixture.accounts.invite(role: .member, by: fixture.machine)
        for invitation in [nil, link.secret.text] {
            let new = registration("ana", invitation: invitation)
            #expect(
                await fixture.code { _ = try await fixture.accounts.register(new, from: fixture.origin()) }
                    == .registrationClosed)
        }
    }

    @Test func anAddressIsConfirmedBeforeTheAccountIsUsed() async throws {
        let fixture = try await AccountsFixture {
            $0.confirmsEmail = true
            $0.registration = .approval
        }
        let outcome = try await fixture.accounts.register(
            registration("ana", email: "ana@example.org"), from: fixture.origin())
        let link = try #require(outcome.confirmation)
        #expect(outcome.session == nil && link.link.email == "ana@example.org")
        #expect(await fixture.code { _ = try await fixture.logIn("ana") } == .accountPending)
        let resent = try #require(
            try await fixture.resendConfirmation(to: "ANA@example.org", from: fixture.origin()))
        // Both links can be followed, and one of them is.
        let account = try await fixture.accounts.confirmEmail(link.secret.text, from: fixture.origin())
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.confirmEmail(resent.secret.text, from: fixture.origin())
            } == .linkNotValid)
        #expect(account.state == .awaitingApproval && account.emailConfirmedAt == fixture.clock.time)
        #expect(try await fixture.resendConfirmation(to: "nobody@example.org", from: fixture.origin()) == nil)
        // An invited person needs no approval.
        let invitation = try await fixture.accounts.invite(role: .member, by: fixture.machine)
        let invited = try await fixture.accounts.register(
            registration("eva", email: "eva@example.org", invitation: invitation.secret.text),
            from: fixture.origin())
        let second = try #require(invited.confirmation)
        #expect(
            try await fixture.accounts.confirmEmail(second.secret.text, from: fixture.origin()).state == .active)
    }

    @Test func theFirstAdministratorIsMadeWithALink() async throws {
        let fixture = try await AccountsFixture { $0.registration = .closed }
        let first = try #require(try await fixture.accounts.setUpLink())
        let second = try #require(try await fixture.accounts.setUpLink())
        // A restart ends the link that was printed before.
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.setUp(
                    registration("ana"), link: first.secret.text, from: fixture.origin())
            } == .linkNotValid)
        let codes = await withTaskGroup(of: Refusal.Code?.self) { group in
            for name in ["ana", "eva"] {
                group.addTask {
                    await fixture.code {
                        _ = try await fixture.accounts.setUp(
                            registration(name), link: second.secret.text, from: fixture.origin())
                    }
                }
            }
            return await group.reduce(into: [Refusal.Code?]()) { $0.append($1) }
        }
        #expect(codes.contains(nil) && codes.contains(.linkNotValid))
        #expect(try await fixture.count("account") == 1)
        #expect(try await fixture.accounts.setUpLink() == nil)
        let administrators = try await fixture.accounts.accounts(
            AccountFilter(role: .administrator))
        #expect(administrators.items.count == 1)
    }

    @Test func whatIsStoredShowsNoCredential() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana", email: "ana@example.org")
        let session = try await fixture.logIn("ana")
        let token = try await fixture.accounts.createToken(
            TokenRequest(.apiToken, name: "t", scope: .full), password: AccountsFixture.password, by: caller)
        let appPassword = try await fixture.accounts.createToken(
            TokenRequest(.appPassword, name: "a", scope: .full), password: AccountsFixture.password, by: caller)
        let link = try await fixture.accounts.invite(role: .member, by: fixture.machine)
        let setUp = try await fixture.accounts.beginSecondFactor(password: AccountsFixture.password, by: caller)
        let device = try await fixture.accounts.authorizeDevice(from: fixture.origin())
        let secrets =
            [session.secret, token.secret, appPassword.secret, link.secret, device.deviceCode].map(\.text)
            + [AccountsFixture.password]
        var texts: [String] = []
        var blobs: [[UInt8]] = []
        for table in AccountsSchema.schema.tables {
            let columns = table.columns
            let rows = try await fixture.database.read { db in
                try db.rows("SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(table.name)") { row in
                    columns.indices.map { row.any($0, as: columns[$0].type) }
                }
            }
            for value in rows.joined() {
                if case .text(let text) = value { texts.append(text) }
                if case .blob(let bytes) = value { blobs.append(bytes) }
            }
        }
        #expect(texts.count > 20 && blobs.count > 5)
        for secret in secrets {
            #expect(!texts.contains { $0.contains(secret) })
            #expect(!blobs.contains { String(decoding: $0, as: UTF8.self).contains(secret) })
        }
        let key = setUp.code.key
        #expect(!blobs.contains { bytes in bytes.count >= key.count && bytes.starts(with: key) })
        #expect(!texts.contains { $0.contains(setUp.code.base32) })
    }
}
