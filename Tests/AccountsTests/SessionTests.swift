import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct SessionTests {
    private func lives(_ session: NewSession, _ fixture: AccountsFixture, on server: Accounts? = nil) async throws
        -> Bool
    {
        try await (server ?? fixture.accounts).principal(session: session.secret.text, from: fixture.origin()) != nil
    }

    @Test func aSessionEndsWhenItIsIdleAndAtItsEnd() async throws {
        let fixture = try await AccountsFixture {
            $0.sessionIdleTime = .seconds(600)
            $0.sessionLifetime = .seconds(1_500)
        }
        try await fixture.account("ana")
        let idle = try await fixture.logIn("ana")
        let used = try await fixture.logIn("ana")
        for _ in 0..<2 {
            fixture.clock.advance(by: .seconds(599))
            #expect(try await lives(used, fixture))
        }
        #expect(try await !lives(idle, fixture))
        fixture.clock.advance(by: .seconds(302))
        #expect(try await !lives(used, fixture))
        try await fixture.accounts.maintain()
        #expect(try await fixture.count("accountSession") == 0)
    }

    @Test func whoStaysLoggedInStaysLonger() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        let short = try await fixture.logIn("ana")
        let long = try await fixture.logIn("ana", staysLoggedIn: true)
        #expect(long.session.isPersistent && !short.session.isPersistent)
        fixture.clock.advance(by: .seconds(29 * 24 * 3_600))
        #expect(try await lives(long, fixture))
        #expect(try await !lives(short, fixture))
    }

    @Test func aSessionThatWasRevokedElsewhereIsDeadWithinASecond() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        let other = try await fixture.otherServer()
        let session = try await fixture.logIn("ana")
        #expect(try await lives(session, fixture, on: other))
        try await fixture.accounts.logOut(Caller(session.principal, fixture.origin()))
        #expect(try await !lives(session, fixture))
        fixture.clock.advance(by: .seconds(1))
        #expect(try await !lives(session, fixture, on: other))
        // And so is a role that was changed.
        let second = try await fixture.logIn("ana")
        #expect(try await lives(second, fixture, on: other))
        _ = try await fixture.accounts.setRole(.moderator, of: second.member.id, by: fixture.machine)
        fixture.clock.advance(by: .seconds(1))
        let principal = try await other.principal(session: second.secret.text, from: fixture.origin())
        #expect(principal?.member?.role == .moderator)
    }

    @Test func theDatabaseIsAskedOnceForManyRequests() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        let session = try await fixture.logIn("ana")
        #expect(try await lives(session, fixture))
        // Nobody tells the server about this, so it is noticed when the second is over.
        try await fixture.database.write { db in try db.execute("DELETE FROM accountSession", []) }
        #expect(try await lives(session, fixture))
        fixture.clock.advance(by: .seconds(1))
        #expect(try await !lives(session, fixture))
    }

    @Test func sessionsAreListedWithDeviceAndAddressAndEndOneByOne() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        fixture.clock.advance(by: .seconds(1))
        let phone = try await fixture.accounts.logIn(
            "ana", password: AccountsFixture.password,
            from: fixture.origin("2001:db8::7", device: "Phone\u{1B}[31m \u{202E}x"))
        guard case .session(let session) = phone else {
            Issue.record("a second factor was asked for")
            return
        }
        let listed = try await fixture.accounts.sessions(of: caller)
        #expect(listed.map(\.address) == ["2001:db8::7", "192.0.2.1"])
        #expect(listed.map(\.device) == ["Phone [31m x", "Firefox"])
        try await fixture.accounts.endSession(session.session.id, by: caller)
        #expect(try await !lives(session, fixture))
        #expect(try await fixture.accounts.sessions(of: caller).map(\.id) == [caller.principal.session])
        // Somebody else's session is not found.
        let other = try await fixture.caller("eva")
        let stolen = try #require(caller.principal.session)
        #expect(await fixture.code { try await fixture.accounts.endSession(stolen, by: other) } == .notFound)
    }

    @Test func allSessionsEndAtOnce() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let others = [try await fixture.logIn("ana"), try await fixture.logIn("ana")]
        let stranger = try await fixture.caller("eva")
        #expect(try await fixture.accounts.endAllSessions(keepsThis: true, by: caller) == 2)
        for session in others { #expect(try await !lives(session, fixture)) }
        #expect(try await fixture.accounts.sessions(of: caller).count == 1)
        #expect(try await fixture.accounts.endAllSessions(keepsThis: false, by: caller) == 1)
        #expect(try await fixture.count("accountSession") == 1)
        #expect(try await fixture.accounts.sessions(of: stranger).count == 1)
    }

    @Test func theLastUseIsNotedOnceAMinute() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        let session = try await fixture.logIn("ana")
        var noted: [Int64] = []
        for _ in 0..<13 {
            fixture.clock.advance(by: .seconds(10))
            let moved = fixture.origin("198.51.100.1")
            _ = try await fixture.accounts.principal(session: session.secret.text, from: moved)
            let time: Int64? = try await fixture.database.read { db in
                try db.firstValue("SELECT lastUsedAt FROM accountSession")
            }
            noted.append(((time ?? 0) - TestClock.start.millisecondsSince1970) / 1_000)
        }
        #expect(noted == [0, 0, 0, 0, 0, 60, 60, 60, 60, 60, 60, 120, 120])
        let address: String? = try await fixture.database.read { db in
            try db.firstValue("SELECT address FROM accountSession")
        }
        #expect(address == "198.51.100.1")
    }

    @Test func anAccountHasAHundredSessions() async throws {
        let fixture = try await AccountsFixture()
        let account = try await fixture.account("ana")
        let first = try await fixture.logIn("ana")
        try await fixture.database.write { db in
            for number in 0..<SessionRows.maximumCount {
                _ = try fixture.accounts.beginSession(
                    account.id, isPersistent: false, from: fixture.origin(),
                    at: TestClock.start + .seconds(number + 1), db)
            }
        }
        #expect(try await fixture.count("accountSession") == SessionRows.maximumCount)
        #expect(try await !lives(first, fixture))
    }

    @Test func whatIsNoSecretIsNoSession() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let id = try #require(caller.principal.session)
        for text in [
            "", id.text, Secret(.session).text, Secret(.apiToken).text, String(repeating: "a", count: 100_000),
        ] {
            #expect(try await fixture.accounts.principal(session: text, from: fixture.origin()) == nil)
            #expect(try await fixture.accounts.principal(bearer: text, from: fixture.origin()) == nil)
        }
    }
}
