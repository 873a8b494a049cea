import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct DeviceTests {
    @Test func aTelevisionLogsInWithACodeTypedOnAPhone() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let television = fixture.origin("198.51.100.7", device: "Television")
        let device = try await fixture.accounts.authorizeDevice(from: television)
        #expect(device.interval == .seconds(5) && device.lifetime == .seconds(900))
        func poll() async throws -> DevicePoll {
            fixture.clock.advance(by: .seconds(5))
            return try await fixture.accounts.pollDevice(device.deviceCode.text, from: television)
        }
        #expect(try await poll() == .pending)
        let shown = try await fixture.accounts.device(code: "\(device.userCode)".lowercased(), by: caller)
        #expect(shown.address == "198.51.100.7" && shown.device == "Television")
        try await fixture.accounts.decideOnDevice(code: "\(device.userCode)", approves: true, by: caller)
        guard case .approved(let session) = try await poll() else {
            Issue.record("the device was not approved")
            return
        }
        #expect(session.member.username == "ana" && session.session.isPersistent)
        let principal = try await fixture.accounts.principal(bearer: session.secret.text, from: television)
        #expect(principal == session.principal)
        #expect(try await fixture.accounts.sessions(of: caller).map(\.device).contains("Television"))
        // Both codes are used up.
        #expect(try await poll() == .expired)
        #expect(
            await fixture.code { _ = try await fixture.accounts.device(code: "\(device.userCode)", by: caller) }
                == .linkNotValid)
    }

    @Test func ofManyPollsOneGetsTheSession() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let device = try await fixture.accounts.authorizeDevice(from: fixture.origin())
        try await fixture.accounts.decideOnDevice(code: "\(device.userCode)", approves: true, by: caller)
        let answers = await withTaskGroup(of: DevicePoll?.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try? await fixture.accounts.pollDevice(device.deviceCode.text, from: fixture.origin())
                }
            }
            return await group.reduce(into: [DevicePoll?]()) { $0.append($1) }
        }
        #expect(answers.count { if case .approved = $0 { true } else { false } } == 1)
        #expect(try await fixture.count("accountSession") == 2)
    }

    @Test func whoPollsTooOftenIsSlowedDown() async throws {
        let fixture = try await AccountsFixture()
        let device = try await fixture.accounts.authorizeDevice(from: fixture.origin())
        func poll(after seconds: Int) async throws -> DevicePoll {
            fixture.clock.advance(by: .seconds(seconds))
            return try await fixture.accounts.pollDevice(device.deviceCode.text, from: fixture.origin())
        }
        #expect(try await poll(after: 0) == .pending)
        #expect(try await poll(after: 1) == .slowDown(.seconds(10)))
        #expect(try await poll(after: 5) == .slowDown(.seconds(15)))
        #expect(try await poll(after: 15) == .pending)
        for _ in 0..<20 { _ = try await poll(after: 1) }
        #expect(try await poll(after: 1) == .slowDown(.seconds(60)))
    }

    @Test func aDeviceIsDeniedOrExpires() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let denied = try await fixture.accounts.authorizeDevice(from: fixture.origin())
        try await fixture.accounts.decideOnDevice(code: "\(denied.userCode)", approves: false, by: caller)
        // The first decision counts.
        #expect(
            await fixture.code {
                try await fixture.accounts.decideOnDevice(code: "\(denied.userCode)", approves: true, by: caller)
            } == .linkNotValid)
        #expect(try await fixture.accounts.pollDevice(denied.deviceCode.text, from: fixture.origin()) == .denied)
        let late = try await fixture.accounts.authorizeDevice(from: fixture.origin())
        fixture.clock.advance(by: late.lifetime)
        #expect(
            await fixture.code {
                try await fixture.accounts.decideOnDevice(code: "\(late.userCode)", approves: true, by: caller)
            } == .linkNotValid)
        #expect(try await fixture.accounts.pollDevice(late.deviceCode.text, from: fixture.origin()) == .expired)
        for text in ["", Secret(.device).text, Secret(.session).text, "\(late.userCode)"] {
            #expect(try await fixture.accounts.pollDevice(text, from: fixture.origin()) == .expired)
        }
        fixture.clock.advance(by: late.lifetime)
        try await fixture.accounts.maintain()
        #expect(try await fixture.count("deviceGrant") == 0)
    }

    @Test func anApprovalEndsWithTheAccount() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let user = try #require(caller.principal.member?.id)
        let device = try await fixture.accounts.authorizeDevice(from: fixture.origin())
        try await fixture.accounts.decideOnDevice(code: "\(device.userCode)", approves: true, by: caller)
        _ = try await fixture.accounts.suspend(user, by: fixture.machine)
        #expect(try await fixture.accounts.pollDevice(device.deviceCode.text, from: fixture.origin()) == .denied)
    }

    @Test func codesCannotBeGuessedAndStrangersCannotFillTheTable() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        var codes: [Refusal.Code?] = []
        for _ in 0..<12 {
            codes.append(
                await fixture.code { _ = try await fixture.accounts.device(code: "\(UserCode())", by: caller) })
        }
        #expect(codes.prefix(10).allSatisfy { $0 == .linkNotValid } && codes.last == .tooManyAttempts)
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.device(
                    code: "BCDF-GHJK", by: Caller(.anonymous, fixture.origin("192.0.2.9")))
            } == .loginNeeded)
        for number in 0..<21 {
            let code = await fixture.code { _ = try await fixture.accounts.authorizeDevice(from: fixture.origin()) }
            #expect(code == (number < 20 ? nil : .tooManyAttempts))
        }
    }
}
