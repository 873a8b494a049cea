import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct LogInTests {
    @Test func wrongPasswordsAndUnknownAccountsGetTheSameAnswer() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana", email: "ana@example.org")
        var reasons: Set<String> = []
        var counts: Set<Int> = []
        for (number, name) in ["ana", "ana@example.org", "nobody", "nobody@example.org", "a b", ""].enumerated() {
            let before = fixture.hasher.computationCount
            let error = await #expect(throws: Refusal.self) {
                _ = try await fixture.logIn(name, password: "wrong horse", from: "192.0.2.\(number)")
            }
            reasons.insert("\(error?.code.rawValue ?? "-") \(error?.reason ?? "-")")
            counts.insert(fixture.hasher.computationCount - before)
        }
        #expect(reasons == ["wrongCredentials the username or the password is wrong"])
        #expect(counts == [1])
    }

    /// The form of an address is checked before any look-up.
    @Test func whatIsNoAddressIsRefusedWithoutLookUp() async throws {
        let fixture = try await AccountsFixture()
        let before = fixture.hasher.computationCount
        for name in ["ana@", "@example.org", "ana@example"] {
            #expect(await fixture.code { _ = try await fixture.logIn(name) } == .invalidEmail)
        }
        #expect(fixture.hasher.computationCount == before)
    }

    @Test func guessingIsPacedAndStoppedAndTheRightPasswordDoesNotCount() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        for _ in 0..<30 { _ = try await fixture.logIn("ana") }
        var tried = 0
        var refused = 0
        for _ in 0..<250 {
            switch await fixture.code({ _ = try await fixture.logIn("ana", password: "wrong horse") }) {
            case .wrongCredentials: tried += 1
            case .tooManyAttempts: refused += 1
            case let other: Issue.record("\(String(describing: other))")
            }
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(tried == 15 && refused == 235)
        // Even the right password is refused while the limit holds.
        let error = await #expect(throws: Refusal.self) { _ = try await fixture.logIn("ana") }
        #expect(error?.code == .tooManyAttempts && error?.retryAfter ?? .zero > .zero)
        fixture.clock.advance(by: .seconds(300))
        _ = try await fixture.logIn("ana")
    }

    @Test func strangersFromEverywhereDoNotLockOutTheOwner() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        _ = try await fixture.logIn("ana", from: "192.0.2.1")
        for number in 0..<60 {
            let code = await fixture.code {
                _ = try await fixture.logIn("ana", password: "wrong horse", from: "198.51.100.\(number)")
            }
            #expect(code == (number < 5 ? .wrongCredentials : .tooManyAttempts))
        }
        // From where the owner was before, also after a restart, which forgets the limits but not the addresses.
        _ = try await fixture.logIn("ana", from: "192.0.2.1")
        #expect(await fixture.code { _ = try await fixture.logIn("ana", from: "203.0.113.9") } == .tooManyAttempts)
    }

    @Test func aSuspendedAccountSaysSoToItsOwnerOnly() async throws {
        let fixture = try await AccountsFixture()
        let account = try await fixture.account("ana")
        let session = try await fixture.logIn("ana")
        _ = try await fixture.accounts.suspend(account.id, by: fixture.machine)
        #expect(try await fixture.accounts.principal(session: session.secret.text, from: fixture.origin()) == nil)
        #expect(await fixture.code { _ = try await fixture.logIn("ana") } == .accountSuspended)
        #expect(
            await fixture.code { _ = try await fixture.logIn("ana", password: "wrong horse") } == .wrongCredentials)
        _ = try await fixture.accounts.restore(account.id, by: fixture.machine)
        // Its sessions have ended for good.
        #expect(try await fixture.accounts.principal(session: session.secret.text, from: fixture.origin()) == nil)
        _ = try await fixture.logIn("ana")
    }

    @Test func anOlderHashIsReplacedAtTheLogIn() async throws {
        let fixture = try await AccountsFixture()
        let account = try await fixture.account("ana")
        let parameters = try #require(ScryptParameters(logRounds: 11, blockSize: 1, parallelism: 1))
        let older = try PasswordHash(of: try #require(Password(AccountsFixture.password)), parameters)
        try await fixture.database.write { db in
            try AccountRows.setPassword(older, of: account.id, at: TestClock.start, db)
        }
        _ = try await fixture.logIn("ana")
        let stored: String? = try await fixture.database.read { db in
            try db.firstValue("SELECT passwordHash FROM account")
        }
        #expect(stored?.hasPrefix("$scrypt$ln=10,r=1,p=1$") == true)
        _ = try await fixture.logIn("ana")
    }

    @Test func aDamagedHashLetsNobodyIn() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        for damaged in ["", "$scrypt$ln=63,r=8,p=1$U29kaXVtQ2g$U29kaXVtQ2g", "plain text"] {
            try await fixture.database.write { db in
                try db.execute("UPDATE account SET passwordHash = ?1", .text(damaged))
            }
            for password in ["", damaged, AccountsFixture.password] {
                #expect(
                    await fixture.code { _ = try await fixture.logIn("ana", password: password) }
                        == .wrongCredentials)
                fixture.clock.advance(by: .seconds(300))
            }
        }
    }
}
