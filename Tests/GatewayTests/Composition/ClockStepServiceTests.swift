import Crypto
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaAccess
import MediaCore
import TestSupport
import Testing

@testable import Accounts
@testable import Features
@testable import Gateway

/// A clock on which nobody can sleep, so that a loop has one round.
private struct OneRound: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw CancellationError() }
}

/// The deletions and refusals that depend on the time, while the clock is wrong for a minute and after it is right
/// again.
@Suite(.eitherEngine) struct ClockStepServiceTests {
    private static let day = Duration.seconds(86_400)

    private let fixture: TestAccounts
    private let links: MediaLinks
    private let steadiness: ClockSteadiness

    private var accounts: Accounts { fixture.accounts }

    init() async throws {
        fixture = try await TestAccounts()
        let clock = fixture.clock
        links = try await MediaLinks.open(
            fixture.database, program: "test", key: SymmetricKey(size: .bits256), wallClock: clock.wallClock,
            uptime: { clock.elapsed })
        steadiness = ClockSteadiness(wallClock: clock.wallClock, elapsed: { clock.elapsed }, onStep: { _ in })
    }

    /// One round of the clean-up that the server does once an hour.
    private func maintain() async {
        await RefreshLoop.sweep(every: .seconds(3_600), clock: OneRound(), while: steadiness) {
            try await accounts.maintain()
            try await accounts.endSuspensions()
            try await links.maintain()
        } onFailure: { error in
            Issue.record(error)
        }
    }

    /// A second factor, and its code at the present time of the clock.
    private func code(_ setUp: SecondFactorSetUp) -> String {
        setUp.code.code(TimeBasedCode.step(at: fixture.clock.time))
    }

    private func logIn(_ setUp: SecondFactorSetUp) async throws -> NewSession {
        guard
            case .secondFactorNeeded(let challenge) = try await accounts.logIn(
                "ana", password: TestAccounts.password, from: TestAccounts.origin)
        else { throw SQLError(.failed, "no second factor was asked for") }
        return try await accounts.logIn(challenge: challenge.text, code: code(setUp), from: TestAccounts.origin)
    }

    @Test(arguments: [day, day * 365, .zero - day, .zero - day * 365])
    func nothingIsLostThatWasValidBefore(_ step: Duration) async throws {
        let session = try await fixture.session("ana")
        let caller = Caller(session.principal, TestAccounts.origin)
        let setUp = try await accounts.beginSecondFactor(password: TestAccounts.password, by: caller)
        _ = try await accounts.confirmSecondFactor(code(setUp), by: caller)
        let media = try await links.create(
            "press", folder: "/vod/film", target: "/vod/film/playlist.m3u8", by: TestAccounts.machine)
        _ = try await accounts.invite(role: .member, by: TestAccounts.machine)
        let leo = try await fixture.session("leo")
        _ = try await accounts.suspend(leo.member.id, for: Self.day / 2, by: TestAccounts.machine)
        let auditCount = try await accounts.auditLog().items.count
        fixture.clock.advance(by: .seconds(60))

        fixture.clock.set(fixture.clock.time + step)
        await maintain()
        // Somebody logs in with what an app shows whose clock is as wrong.
        _ = try? await logIn(setUp)
        fixture.clock.advance(by: .seconds(60))
        await maintain()
        fixture.clock.set(fixture.clock.time - step)
        await maintain()
        fixture.clock.advance(by: .seconds(60))

        #expect(try await accounts.principal(session: session.secret.text, from: TestAccounts.origin) != nil)
        _ = try await logIn(setUp)
        #expect(try await links.links().items.map(\.id) == [media.id])
        #expect(try await accounts.invitations().count == 1)
        #expect(try await accounts.account(named: "leo", by: TestAccounts.machine).state == .suspended)
        #expect(try await accounts.auditLog().items.count >= auditCount)
        // When the clock has been right for an hour, what is over ends.
        fixture.clock.advance(by: Self.day)
        await maintain()
        #expect(try await accounts.account(named: "leo", by: TestAccounts.machine).state == .active)
    }
}
