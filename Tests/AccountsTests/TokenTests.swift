import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct TokenTests {
    private func request(
        _ kind: TokenKind = .apiToken, _ actions: String = "read,publish", channels: Set<String>? = nil
    ) throws -> TokenRequest {
        TokenRequest(kind, name: " OBS ", scope: Scope(actions: try ActionSet(parsing: actions), channels: channels))
    }

    @Test func aTokenActsWithinItsScope() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana", .broadcaster)
        let token = try await fixture.accounts.createToken(
            try request(channels: ["canalA"]), password: AccountsFixture.password, by: caller)
        #expect(token.token.name == "OBS" && token.token.lastUsedAt == nil)
        let principal = try #require(
            try await fixture.accounts.principal(bearer: token.secret.text, from: fixture.origin()))
        #expect(fixture.accounts.may(principal, .publish, .channel("canalA")).isAllowed)
        #expect(!fixture.accounts.may(principal, .publish, .channel("canalB")).isAllowed)
        #expect(!fixture.accounts.may(principal, .record, .channel("canalA")).isAllowed)
        let listed = try await fixture.accounts.tokens(by: caller)
        #expect(listed.map(\.lastUsedAt) == [fixture.clock.time] && listed[0].lastAddress == "192.0.2.1")
        #expect(listed[0].scope == token.token.scope)
    }

    @Test func aTokenHasTheRightsOfItsOwnerAtTheTimeOfUse() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana", .broadcaster)
        let user = try #require(caller.principal.member?.id)
        let token = try await fixture.accounts.createToken(
            try request(), password: AccountsFixture.password, by: caller)
        func mayPublish() async throws -> Bool? {
            let principal = try await fixture.accounts.principal(bearer: token.secret.text, from: fixture.origin())
            return principal.map { fixture.accounts.may($0, .publish, .channel("canalA")).isAllowed }
        }
        #expect(try await mayPublish() == true)
        _ = try await fixture.accounts.setRole(.member, of: user, by: fixture.machine)
        #expect(try await mayPublish() == false)
        try await fixture.accounts.grant(
            try ActionSet(parsing: "publish"), on: "canalA", to: user, by: fixture.machine)
        #expect(try await mayPublish() == true)
        _ = try await fixture.accounts.suspend(user, by: fixture.machine)
        #expect(try await mayPublish() == nil)
        _ = try await fixture.accounts.restore(user, by: fixture.machine)
        #expect(try await mayPublish() == true)
        try await fixture.accounts.removeAccount(user, by: fixture.machine)
        #expect(try await mayPublish() == nil)
    }

    @Test func aTokenExpiresAndIsRevoked() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        var request = try request(.apiToken, "read")
        request.expiresAt = fixture.clock.time + .seconds(3_600)
        let expiring = try await fixture.accounts.createToken(request, password: AccountsFixture.password, by: caller)
        request.expiresAt = nil
        let lasting = try await fixture.accounts.createToken(request, password: AccountsFixture.password, by: caller)
        func lives(_ token: NewToken, on server: Accounts? = nil) async throws -> Bool {
            try await (server ?? fixture.accounts).principal(bearer: token.secret.text, from: fixture.origin()) != nil
        }
        #expect(try await lives(expiring))
        #expect(try await lives(lasting))
        fixture.clock.advance(by: .seconds(3_600))
        #expect(try await !lives(expiring))
        #expect(try await lives(lasting))
        let other = try await fixture.otherServer()
        #expect(try await lives(lasting, on: other))
        try await fixture.accounts.revokeToken(lasting.token.id, by: caller)
        #expect(try await !lives(lasting))
        fixture.clock.advance(by: .seconds(1))
        #expect(try await !lives(lasting, on: other))
        #expect(
            await fixture.code { try await fixture.accounts.revokeToken(lasting.token.id, by: caller) } == .notFound)
    }

    @Test func anAppPasswordIsNotTheMainPassword() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana", email: "ana@example.org")
        try await fixture.account("eva")
        let token = try await fixture.accounts.createToken(
            try request(.appPassword, "read"), password: AccountsFixture.password, by: caller)
        func principal(_ name: String, _ password: String) async throws -> Principal? {
            try await fixture.accounts.principal(name, appPassword: password, from: fixture.origin())
        }
        #expect(try await principal("ANA", token.secret.text)?.member?.username == "ana")
        #expect(try await principal("ana@example.org", token.secret.text.uppercased()) != nil)
        // The name belongs to it, from the database and from the cache.
        for _ in 0..<2 { #expect(try await principal("eva", token.secret.text) == nil) }
        #expect(try await principal("ana", AccountsFixture.password) == nil)
        #expect(try await fixture.accounts.principal(bearer: token.secret.text, from: fixture.origin()) == nil)
        #expect(
            await fixture.code { _ = try await fixture.logIn("ana", password: token.secret.text) } == .wrongCredentials)
        try await fixture.accounts.revokeToken(token.token.id, by: caller)
        #expect(try await principal("ana", token.secret.text) == nil)
    }

    @Test func tokensChangeNothingAboutTheAccount() async throws {
        let fixture = try await AccountsFixture()
        let owner = try await fixture.caller("ana", .administrator)
        let token = try await fixture.accounts.createToken(
            TokenRequest(.apiToken, name: "all", scope: .full), password: AccountsFixture.password, by: owner)
        let principal = try #require(
            try await fixture.accounts.principal(bearer: token.secret.text, from: fixture.origin()))
        let caller = Caller(principal, fixture.origin())
        let request = try request()
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.createToken(request, password: AccountsFixture.password, by: caller)
            } == .forbidden)
        #expect(
            await fixture.code {
                try await fixture.accounts.changePassword(
                    to: "another long one", current: AccountsFixture.password, by: caller)
            } == .forbidden)
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.deleteAccount(password: AccountsFixture.password, by: caller)
            } == .forbidden)
        #expect(await fixture.code { _ = try await fixture.accounts.sessions(of: caller) } == .forbidden)
        // An administrator's token manages others within its scope.
        #expect(try await fixture.accounts.accounts().items.count == 1)
    }

    @Test func onlyAdministratorsSeeTheTokensOfOthers() async throws {
        let fixture = try await AccountsFixture()
        let (ana, eva) = (try await fixture.caller("ana"), try await fixture.caller("eva"))
        let user = try #require(ana.principal.member?.id)
        let token = try await fixture.accounts.createToken(
            try request(), for: user, password: AccountsFixture.password, by: fixture.machine)
        #expect(await fixture.code { _ = try await fixture.accounts.tokens(of: user, by: eva) } == .forbidden)
        #expect(
            await fixture.code { try await fixture.accounts.revokeToken(token.token.id, by: eva) } == .notFound)
        #expect(try await fixture.accounts.tokens(by: ana).map(\.id) == [token.token.id])
        try await fixture.accounts.revokeToken(token.token.id, of: user, by: fixture.machine)
        #expect(try await fixture.accounts.tokens(by: ana).isEmpty)
    }

    @Test func wrongRequestsAreRefused() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        var wrong = [
            TokenRequest(.apiToken, name: "  ", scope: .full),
            TokenRequest(.apiToken, name: String(repeating: "x", count: 61), scope: .full),
            TokenRequest(.apiToken, name: "x", scope: Scope(actions: [])),
            TokenRequest(.apiToken, name: "x", scope: Scope(actions: .all, channels: ["a\nb"])),
            TokenRequest(.apiToken, name: "x", scope: Scope(actions: .all, channels: Set((0..<65).map(String.init)))),
        ]
        wrong.append(TokenRequest(.apiToken, name: "x", scope: .full, expiresAt: fixture.clock.time))
        for request in wrong {
            #expect(
                await fixture.code {
                    _ = try await fixture.accounts.createToken(request, password: AccountsFixture.password, by: caller)
                } == .invalidField)
        }
        let request = try request()
        for _ in 0..<TokenRows.maximumCount {
            _ = try await fixture.accounts.createToken(request, password: AccountsFixture.password, by: caller)
        }
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.createToken(request, password: AccountsFixture.password, by: caller)
            } == .tooMany)
    }
}
