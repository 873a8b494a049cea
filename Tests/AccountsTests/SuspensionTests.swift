import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

/// Suspensions that end by themselves.
@Suite(.eachEngine) struct SuspensionTests {
    private static let day = Duration.seconds(86_400)

    private func error(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test func anAccountCanBeUsedAgainAfterTheEndWithoutAnyCleaning() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let user = try #require(caller.principal.member?.id)
        let session = try await fixture.logIn("ana")
        let token = try await fixture.accounts.createToken(
            TokenRequest(.apiToken, name: "test", scope: .full), password: AccountsFixture.password, by: caller)
        func tokenWorks() async throws -> Bool {
            try await fixture.accounts.principal(bearer: token.secret.text, from: fixture.origin()) != nil
        }
        #expect(try await tokenWorks())
        let end = fixture.clock.time + Self.day
        let account = try await fixture.accounts.suspend(user, for: Self.day, by: fixture.machine)
        #expect(account.state == .suspended && account.suspendedUntil == end)
        #expect(try await !tokenWorks())
        let refusal = await error { _ = try await fixture.logIn("ana") }
        #expect(refusal?.code == .accountSuspended && refusal?.suspendedUntil == end)
        #expect(refusal?.reason.contains("until 2026-01-02T00:00:00Z") == true, "\(refusal?.reason ?? "")")
        fixture.clock.advance(by: Self.day - .milliseconds(1))
        #expect(await fixture.code { _ = try await fixture.logIn("ana") } == .accountSuspended)
        #expect(try await fixture.accounts.absentPrincipal(of: user) == nil)

        fixture.clock.advance(by: .milliseconds(1))
        #expect(try await tokenWorks())
        #expect(try await fixture.accounts.absentPrincipal(of: user) != nil)
        let again = try await fixture.logIn("ana")
        #expect(try await fixture.accounts.principal(session: again.secret.text, from: fixture.origin()) != nil)
        #expect(
            try await fixture.accounts.principal(session: session.secret.text, from: fixture.origin()) == nil,
            "a session from before the suspension has ended for good")
        let restored = try await fixture.accounts.account(user, by: fixture.machine)
        #expect(restored.state == .active && restored.suspendedUntil == nil)
        let log = try await fixture.accounts.auditLog(AuditFilter(subject: user)).items
        let entry = try #require(log.first { $0.event == "account.restored" })
        #expect(entry.before == "suspended until 2026-01-02T00:00:00Z" && entry.after == "active")
        #expect(entry.actorID == nil && entry.actorName == "end of time" && entry.address == nil)
        #expect(log.contains { $0.event == "account.suspended" && $0.after == entry.before })
    }

    @Test func listsFollowWithTheNextLookAndEachEndIsNotedOnce() async throws {
        let fixture = try await AccountsFixture()
        let other = try await fixture.otherServer()
        let (ana, eva, leo) = (
            try await fixture.account("ana").id, try await fixture.account("eva").id,
            try await fixture.account("leo").id
        )
        _ = try await fixture.accounts.suspend(ana, for: Self.day, by: fixture.machine)
        _ = try await fixture.accounts.suspend(eva, by: fixture.machine)
        _ = try await fixture.accounts.suspend(leo, for: Self.day, by: fixture.machine)
        fixture.clock.advance(by: Self.day)
        // Somebody suspends an account again before its end is written down.
        _ = try await fixture.accounts.suspend(leo, for: Self.day, by: fixture.machine)
        for server in [fixture.accounts, other, fixture.accounts] { try await server.endSuspensions() }
        let suspended = try await fixture.accounts.accounts(AccountFilter(state: .suspended))
        #expect(suspended.items.map(\.username) == ["eva", "leo"])
        let ends = try await fixture.accounts.auditLog(AuditFilter(event: "account.restored"))
        #expect(ends.items.map(\.subjectID) == [ana])
    }

    @Test func timesHaveLimitsAndModeratorsMakeNoSuspensionShorter() async throws {
        let fixture = try await AccountsFixture()
        let moderator = try await fixture.caller("mod", .moderator)
        let user = try await fixture.account("ana").id
        for time in [Duration.zero, .seconds(-1), .seconds(59), .seconds(3_650 * 86_400 + 1), .seconds(Int64.max)] {
            let refusal = await error { _ = try await fixture.accounts.suspendMember(user, for: time, by: moderator) }
            #expect(refusal?.code == .invalidField && refusal?.fields == ["suspendedFor"], "\(time)")
        }
        _ = try await fixture.accounts.suspendMember(user, for: Self.day, by: moderator)
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.suspendMember(user, for: .seconds(60), by: moderator)
            } == .conflict)
        _ = try await fixture.accounts.suspendMember(user, by: moderator)
        #expect(
            await fixture.code { _ = try await fixture.accounts.suspendMember(user, for: Self.day, by: moderator) }
                == .conflict)
        // An administrator decides otherwise.
        _ = try await fixture.accounts.suspend(user, for: .seconds(60), by: fixture.machine)
        fixture.clock.advance(by: .seconds(60))
        _ = try await fixture.accounts.suspendMember(user, for: .seconds(60), by: moderator)
    }
}
