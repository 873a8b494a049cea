import Crypto
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing
import WebAuthentication

@testable import Accounts

@Suite(.eachEngine) struct PasskeyTests {
    private func fixture() async throws -> AccountsFixture {
        try await AccountsFixture {
            $0.relyingParty = RelyingParty(
                id: "tv.example.org", name: "Antena", origins: ["https://tv.example.org"])
        }
    }

    private func add(
        _ authenticator: TestAuthenticator, _ fixture: AccountsFixture, _ caller: Caller
    ) async throws -> Passkey {
        let creation = try await fixture.accounts.beginPasskey(password: AccountsFixture.password, by: caller)
        return try await fixture.accounts.addPasskey(
            authenticator.attestation(creation.challenge), name: "Phone", by: caller)
    }

    private func logIn(_ authenticator: TestAuthenticator, _ fixture: AccountsFixture) async throws -> NewSession {
        let request = try await fixture.accounts.beginPasskeyLogIn(from: fixture.origin())
        return try await fixture.accounts.logIn(
            passkey: try authenticator.assertion(request.challenge), from: fixture.origin())
    }

    @Test func passkeysOfAllAlgorithmsLogIn() async throws {
        let fixture = try await fixture()
        let caller = try await fixture.caller("ana")
        for authenticator in try TestAuthenticator.all() {
            let passkey = try await add(authenticator, fixture, caller)
            #expect(try await logIn(authenticator, fixture).member.username == "ana")
            #expect(try await fixture.accounts.passkeys(by: caller).first?.lastUsedAt == fixture.clock.time)
            try await fixture.accounts.removePasskey(passkey.id, password: AccountsFixture.password, by: caller)
            #expect(await fixture.code { _ = try await logIn(authenticator, fixture) } == .passkeyNotValid)
        }
        #expect(try await fixture.accounts.passkeys(by: caller).isEmpty)
        let creation = try await fixture.accounts.beginPasskey(password: AccountsFixture.password, by: caller)
        #expect(creation.algorithms == [-8, -7, -257] && creation.relyingPartyID == "tv.example.org")
    }

    @Test func anAuthenticatorIsRegisteredOnce() async throws {
        let fixture = try await fixture()
        let (ana, eva) = (try await fixture.caller("ana"), try await fixture.caller("eva"))
        let authenticator = try TestAuthenticator.all()[0]
        _ = try await add(authenticator, fixture, ana)
        let creation = try await fixture.accounts.beginPasskey(password: AccountsFixture.password, by: ana)
        #expect(creation.excludedCredentials == [Base64URL.text(authenticator.credentialID)])
        for caller in [ana, eva] {
            #expect(await fixture.code { _ = try await add(authenticator, fixture, caller) } == .passkeyNotValid)
        }
    }

    @Test func aChallengeIsUsedOnceForOnePurposeAndAccount() async throws {
        let fixture = try await fixture()
        let (ana, eva) = (try await fixture.caller("ana"), try await fixture.caller("eva"))
        let authenticators = try TestAuthenticator.all()
        let accounts = fixture.accounts
        let first = try await accounts.beginPasskey(password: AccountsFixture.password, by: ana).challenge
        // Eva answers Ana's challenge.
        let stolen = authenticators[1].attestation(first)
        #expect(await fixture.code { _ = try await accounts.addPasskey(stolen, name: "x", by: eva) } == .linkNotValid)
        _ = try await add(authenticators[0], fixture, ana)
        let request = try await accounts.beginPasskeyLogIn(from: fixture.origin())
        let assertion = try authenticators[0].assertion(request.challenge)
        let codes = await withTaskGroup(of: Refusal.Code?.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await fixture.code { _ = try await accounts.logIn(passkey: assertion, from: fixture.origin()) }
                }
            }
            return await group.reduce(into: [Refusal.Code?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .linkNotValid } == 2)
        // A challenge for making a passkey does not log in.
        let creation = try await accounts.beginPasskey(password: AccountsFixture.password, by: ana).challenge
        let confused = try authenticators[0].assertion(creation)
        #expect(
            await fixture.code { _ = try await accounts.logIn(passkey: confused, from: fixture.origin()) }
                == .linkNotValid)
        let late = try await accounts.beginPasskeyLogIn(from: fixture.origin()).challenge
        let lateAssertion = try authenticators[0].assertion(late)
        fixture.clock.advance(by: PasskeyRows.challengeLifetime)
        #expect(
            await fixture.code { _ = try await accounts.logIn(passkey: lateAssertion, from: fixture.origin()) }
                == .linkNotValid)
        let invented = try authenticators[0].assertion(Base64URL.text(RandomText.bytes(32)))
        #expect(
            await fixture.code { _ = try await accounts.logIn(passkey: invented, from: fixture.origin()) }
                == .linkNotValid)
    }

    @Test func whatIsNotSignedForThisServerIsRefused() async throws {
        let fixture = try await fixture()
        let caller = try await fixture.caller("ana")
        for authenticator in try TestAuthenticator.all() {
            _ = try await add(authenticator, fixture, caller)
            var changed: [TestAuthenticator] = []
            func change(_ body: (inout TestAuthenticator) -> Void) {
                var copy = authenticator
                body(&copy)
                changed.append(copy)
            }
            change { $0.origin = "https://evil.example" }
            change { $0.origin = "https://tv.example.org.evil.example" }
            change { $0.origin = "http://tv.example.org" }
            change { $0.extraFields = ",\"crossOrigin\":true" }
            change { $0.relyingPartyID = "example.org" }
            change { $0.flags = 0x04 }
            change { $0.flags = 0x01 }
            change { $0.credentialID = [1, 2, 3] }
            for authenticator in changed {
                #expect(await fixture.code { _ = try await logIn(authenticator, fixture) } == .passkeyNotValid)
            }
            let request = try await fixture.accounts.beginPasskeyLogIn(from: fixture.origin())
            let wrongType = try authenticator.assertion(request.challenge, type: "webauthn.create")
            #expect(
                await fixture.code { _ = try await fixture.accounts.logIn(passkey: wrongType, from: fixture.origin()) }
                    == .passkeyNotValid)
            var forged = try authenticator.assertion(request.challenge)
            forged.signature[forged.signature.count / 2] ^= 1
            let forgery = forged
            let forgeryCode = await fixture.code {
                _ = try await fixture.accounts.logIn(passkey: forgery, from: fixture.origin())
            }
            #expect(forgeryCode == .passkeyNotValid)
            // A key of somebody else under this credential's name.
            var other = try TestAuthenticator.all()[0]
            other.credentialID = authenticator.credentialID
            let imposter = other
            let imposterCode = await fixture.code { _ = try await logIn(imposter, fixture) }
            #expect(imposterCode == .passkeyNotValid)
            fixture.clock.advance(by: .seconds(301))
        }
    }

    @Test func aCopyIsNoticedByItsCount() async throws {
        let fixture = try await fixture()
        let caller = try await fixture.caller("ana")
        var authenticator = try TestAuthenticator.all()[0]
        authenticator.signatureCount = 7
        _ = try await add(authenticator, fixture, caller)
        for count: UInt32 in [8, 20] {
            authenticator.signatureCount = count
            _ = try await logIn(authenticator, fixture)
        }
        for count: UInt32 in [20, 9, 0] {
            authenticator.signatureCount = count
            let copy = authenticator
            let code = await fixture.code { _ = try await logIn(copy, fixture) }
            #expect(code == .passkeyNotValid)
        }
    }

    @Test func aPasskeyOfASuspendedAccountDoesNotLogIn() async throws {
        let fixture = try await fixture()
        let caller = try await fixture.caller("ana")
        let authenticator = try TestAuthenticator.all()[0]
        _ = try await add(authenticator, fixture, caller)
        let user = try #require(caller.principal.member?.id)
        _ = try await fixture.accounts.suspend(user, by: fixture.machine)
        #expect(await fixture.code { _ = try await logIn(authenticator, fixture) } == .accountSuspended)
    }

    @Test func aServerWithoutDomainHasNoPasskeys() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.beginPasskey(password: AccountsFixture.password, by: caller)
            } == .notAvailable)
        #expect(
            await fixture.code { _ = try await fixture.accounts.beginPasskeyLogIn(from: fixture.origin()) }
                == .notAvailable)
    }

    @Test func challengesOfStrangersAreBounded() async throws {
        let fixture = try await fixture()
        for number in 0..<61 {
            let code = await fixture.code {
                _ = try await fixture.accounts.beginPasskeyLogIn(from: fixture.origin("2001:db8::\(number)"))
            }
            #expect(code == (number < 60 ? nil : .tooManyAttempts))
        }
        fixture.clock.advance(by: PasskeyRows.challengeLifetime)
        try await fixture.accounts.maintain()
        #expect(try await fixture.count("passkeyChallenge") == 0)
    }
}
