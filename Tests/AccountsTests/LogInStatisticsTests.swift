import DatabaseTestSupport
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct LogInStatisticsTests {
    @Test func logInsAreCountedByWayAndResult() async throws {
        let fixture = try await AccountsFixture()
        let logIns = fixture.accounts.logIns
        try await fixture.account("ana")
        _ = try await fixture.logIn("ana")
        for _ in 0..<7 {
            _ = await fixture.code { _ = try await fixture.logIn("ana", password: "wrong horse") }
        }
        #expect(logIns.count(.password, .success) == 1)
        // The fifth wrong one is followed by a pause.
        #expect(logIns.count(.password, .failure) == 5 && logIns.count(.password, .refused) == 2)
        #expect(logIns.count(.passkey, .failure) == 0 && logIns.count(.secondFactor, .success) == 0)
        _ = await fixture.code {
            _ = try await fixture.accounts.logIn(challenge: "x", code: "000000", from: fixture.origin())
        }
        #expect(logIns.count(.secondFactor, .failure) == 1)
        #expect(try await fixture.accounts.sessionCount() == 1)
    }

    @Test func tokensAreCountedWhenTheyAreLookedUp() async throws {
        let fixture = try await AccountsFixture()
        let logIns = fixture.accounts.logIns
        let caller = try await fixture.caller("ana")
        let token = try await fixture.accounts.createToken(
            TokenRequest(.apiToken, name: "test", scope: .full), password: AccountsFixture.password, by: caller)
        for _ in 0..<3 {
            let principal = try await fixture.accounts.principal(bearer: token.secret.text, from: fixture.origin())
            #expect(principal != nil)
        }
        #expect(logIns.count(.token, .success) == 1)
        let stranger = try await fixture.accounts.principal(bearer: Secret(.apiToken).text, from: fixture.origin())
        #expect(stranger == nil && logIns.count(.token, .failure) == 1)
    }

    @Test func sessionsThatHaveEndedAreNotCounted() async throws {
        let fixture = try await AccountsFixture()
        _ = try await fixture.caller("ana")
        _ = try await fixture.caller("bea")
        #expect(try await fixture.accounts.sessionCount() == 2)
        fixture.clock.advance(by: .seconds(366 * 86_400))
        #expect(try await fixture.accounts.sessionCount() == 0)
    }
}
