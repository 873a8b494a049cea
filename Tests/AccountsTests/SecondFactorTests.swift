import Crypto
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct SecondFactorTests {
    private struct Owner {
        var fixture: AccountsFixture
        var caller: Caller
        var code: TimeBasedCode
        var recoveryCodes: [Secret]

        /// The code of the present step, or of one before or after it.
        func present(_ offset: Int64 = 0) -> String { code.code(TimeBasedCode.step(at: fixture.clock.time) + offset) }

        func challenge() async throws -> Secret {
            let outcome = try await fixture.accounts.logIn(
                "ana", password: AccountsFixture.password, staysLoggedIn: true, from: fixture.origin())
            guard case .secondFactorNeeded(let challenge) = outcome else { throw NotAsked() }
            return challenge
        }

        func complete(_ challenge: Secret, _ code: String, from address: String = "192.0.2.1") async throws
            -> NewSession
        {
            try await fixture.accounts.logIn(challenge: challenge.text, code: code, from: fixture.origin(address))
        }
    }

    private struct NotAsked: Error {}

    private func owner() async throws -> Owner {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let setUp = try await fixture.accounts.beginSecondFactor(password: AccountsFixture.password, by: caller)
        // Not on yet.
        _ = try await fixture.logIn("ana")
        let codes = try await fixture.accounts.confirmSecondFactor(
            setUp.code.code(TimeBasedCode.step(at: fixture.clock.time)), by: caller)
        fixture.clock.advance(by: .seconds(60))
        return Owner(fixture: fixture, caller: caller, code: setUp.code, recoveryCodes: codes)
    }

    @Test func aLogInNeedsBoth() async throws {
        let owner = try await owner()
        let challenge = try await owner.challenge()
        let session = try await owner.complete(challenge, owner.present())
        #expect(session.session.isPersistent && session.member.username == "ana")
        // A challenge is used once.
        #expect(
            await owner.fixture.code { _ = try await owner.complete(challenge, owner.present(1)) } == .linkNotValid)
        #expect(
            try await owner.fixture.accounts.secondFactor(of: owner.caller)
                == SecondFactorStatus(isOn: true, recoveryCodeCount: 10))
        // The challenge alone is no session.
        let second = try await owner.challenge()
        #expect(
            try await owner.fixture.accounts.principal(session: second.text, from: owner.fixture.origin()) == nil)
    }

    @Test func aCodeIsUsedOnce() async throws {
        let owner = try await owner()
        let challenges = [try await owner.challenge(), try await owner.challenge(), try await owner.challenge()]
        let code = owner.present()
        let codes = await withTaskGroup(of: Refusal.Code?.self) { group in
            for challenge in challenges {
                group.addTask { await owner.fixture.code { _ = try await owner.complete(challenge, code) } }
            }
            return await group.reduce(into: [Refusal.Code?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .wrongCode } == 2)
        // Neither is the one before it, although its time is near.
        let next = try await owner.challenge()
        #expect(await owner.fixture.code { _ = try await owner.complete(next, owner.present(-1)) } == .wrongCode)
        _ = try await owner.complete(next, owner.present(1))
    }

    /// Nor is the one with which the app was set up.
    @Test func theCodeOfTheSetUpIsUsed() async throws {
        let owner = try await owner()
        owner.fixture.clock.advance(by: .seconds(-60))
        let challenge = try await owner.challenge()
        #expect(await owner.fixture.code { _ = try await owner.complete(challenge, owner.present()) } == .wrongCode)
    }

    @Test func aRecoveryCodeIsUsedOnce() async throws {
        let owner = try await owner()
        let code = owner.recoveryCodes[3]
        _ = try await owner.complete(try await owner.challenge(), code.text.uppercased())
        let challenge = try await owner.challenge()
        #expect(await owner.fixture.code { _ = try await owner.complete(challenge, code.text) } == .wrongCode)
        _ = try await owner.complete(challenge, owner.recoveryCodes[4].text)
        #expect(try await owner.fixture.accounts.secondFactor(of: owner.caller).recoveryCodeCount == 8)
        let new = try await owner.fixture.accounts.replaceRecoveryCodes(
            password: AccountsFixture.password, by: owner.caller)
        #expect(Set(new).count == 10)
        let third = try await owner.challenge()
        #expect(
            await owner.fixture.code { _ = try await owner.complete(third, owner.recoveryCodes[5].text) } == .wrongCode)
        _ = try await owner.complete(third, new[0].text)
    }

    @Test func codesCannotBeGuessed() async throws {
        let owner = try await owner()
        var tried = 0
        var address = 0
        // A stranger who knows the password, with many addresses, for an hour.
        let end = owner.fixture.clock.elapsed + .seconds(3_600)
        while owner.fixture.clock.elapsed < end {
            let challenge = try await owner.challenge()
            for _ in 0..<7 {
                address += 1
                let code = await owner.fixture.code {
                    _ = try await owner.complete(challenge, "abc123", from: "198.51.\(address / 250).\(address % 250)")
                }
                switch code {
                case .wrongCode: tried += 1
                case .linkNotValid, .tooManyAttempts: break
                case let other: Issue.record("\(String(describing: other))")
                }
            }
            owner.fixture.clock.advance(by: .seconds(60))
        }
        #expect(tried >= 5 && tried <= 15)
    }

    @Test func anotherServerKeyAsksForRecoveryCodes() async throws {
        let owner = try await owner()
        let other = try await Accounts.open(
            owner.fixture.database, program: "test", hasher: owner.fixture.hasher, settings: AccountsSettings(),
            sealingKey: SymmetricKey(size: .bits256), wallClock: owner.fixture.clock.wallClock,
            uptime: { owner.fixture.clock.elapsed })
        let challenge = try await owner.challenge()
        #expect(
            await owner.fixture.code {
                _ = try await other.logIn(
                    challenge: challenge.text, code: owner.present(), from: owner.fixture.origin())
            } == .notAvailable)
        _ = try await other.logIn(
            challenge: challenge.text, code: owner.recoveryCodes[0].text, from: owner.fixture.origin())
    }

    @Test func itIsTurnedOffWithThePasswordOnly() async throws {
        let owner = try await owner()
        #expect(
            await owner.fixture.code {
                try await owner.fixture.accounts.turnOffSecondFactor(password: "wrong horse", by: owner.caller)
            } == .wrongCredentials)
        #expect(
            await owner.fixture.code {
                _ = try await owner.fixture.accounts.beginSecondFactor(
                    password: AccountsFixture.password, by: owner.caller)
            } == .conflict)
        let challenge = try await owner.challenge()
        try await owner.fixture.accounts.turnOffSecondFactor(password: AccountsFixture.password, by: owner.caller)
        #expect(
            await owner.fixture.code { _ = try await owner.complete(challenge, owner.present()) } == .linkNotValid)
        _ = try await owner.fixture.logIn("ana")
        #expect(try await owner.fixture.count("recoveryCode") == 0)
    }

    @Test func aChallengeExpiresAndEndsWithThePassword() async throws {
        let owner = try await owner()
        let first = try await owner.challenge()
        owner.fixture.clock.advance(by: ChallengeRows.lifetime)
        #expect(await owner.fixture.code { _ = try await owner.complete(first, owner.present()) } == .linkNotValid)
        let second = try await owner.challenge()
        let user = try #require(owner.caller.principal.member?.id)
        try await owner.fixture.accounts.setPassword(to: "another long one", of: user, by: owner.fixture.machine)
        #expect(await owner.fixture.code { _ = try await owner.complete(second, owner.present()) } == .linkNotValid)
    }
}
