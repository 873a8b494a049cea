import Accounts
import Crypto
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaAccess
import MediaCore
import StreamConnections
import TestSupport
import Testing
import Viewing

@testable import Gateway

/// The permissions to push and play by RTSP.
@Suite(.eitherEngine) struct AccountsStreamAdmissionTests {
    private let fixture: TestAccounts
    private let admission: AccountsStreamAdmission

    init() async throws {
        fixture = try await TestAccounts()
        admission = AccountsStreamAdmission(
            viewing: ViewingGate(
                accounts: fixture.accounts,
                links: try await MediaLinks.open(
                    fixture.database, program: "test", key: SymmetricKey(size: .bits256))),
            publishing: PublishingGate(accounts: fixture.accounts))
    }

    private func decide(
        _ credential: StreamCredential, _ channel: String = "canalA"
    ) async -> StreamAdmissionDecision {
        await admission.decide(credential, channel: channel, from: nil)
    }

    private func password(_ session: NewSession) async throws -> String {
        try await fixture.accounts.createToken(
            TokenRequest(.appPassword, name: "obs", scope: .full), password: TestAccounts.password,
            by: Caller(session.principal, TestAccounts.origin)
        ).secret.text
    }

    @Test func broadcastersPushWithAppPasswordsAndTokens() async throws {
        let ana = try await fixture.session("ana", .broadcaster)
        let (password, token) = (try await password(ana), try await fixture.token(ana).secret.text)
        let admitted = StreamAdmissionDecision.admitted(username: "ana")
        #expect(await decide(.password(username: "ANA", secret: password)) == admitted)
        #expect(await decide(.password(username: "Ana", secret: token)) == admitted)
        #expect(await decide(.token(token)) == admitted)
        // The name belongs to the secret.
        let eve = try await fixture.session("eve", .viewer)
        #expect(await decide(.password(username: "eve", secret: password)) == .refused)
        #expect(await decide(.password(username: "eve", secret: token)) == .refused)
        #expect(await decide(.password(username: "eve", secret: try await self.password(eve))) == .refused)
    }

    /// Its secret would end up in logs of others, and does more than push.
    @Test func aSessionPushesNothing() async throws {
        let ana = try await fixture.session("ana", .administrator)
        #expect(await decide(.token(ana.secret.text)) == .refused)
        #expect(await decide(.password(username: "ana", secret: ana.secret.text)) == .notAnAccounts)
        #expect(await decide(.password(username: "ana", secret: TestAccounts.password)) == .notAnAccounts)
    }

    @Test func aTokenForOneChannelPushesToNoOther() async throws {
        let ana = try await fixture.session("ana", .broadcaster)
        let scope = Scope(actions: ActionSet([.publish]), channels: ["canalA"])
        let token = try await fixture.token(ana, scope).secret.text
        #expect(await decide(.token(token)) == .admitted(username: "ana"))
        #expect(await decide(.token(token), "canalB") == .refused)
        let reader = try await fixture.token(ana, Scope(actions: ActionSet([.read]))).secret.text
        #expect(await decide(.token(reader)) == .refused)
    }

    @Test func aGrantIsEnough() async throws {
        let bea = try await fixture.session("bea", .viewer)
        let password = try await password(bea)
        try await fixture.accounts.grant(
            ActionSet([.publish]), on: "canalA", to: bea.member.id, by: TestAccounts.machine)
        fixture.clock.advance(by: .seconds(2))
        #expect(await decide(.password(username: "bea", secret: password)) == .admitted(username: "bea"))
        #expect(await decide(.password(username: "bea", secret: password), "canalB") == .refused)
    }

    /// An encoder must not be slowed down, as after a wrong password, because the database is away.
    @Test func anOutageIsNoWrongPassword() async throws {
        let ana = try await fixture.session("ana", .broadcaster)
        let token = try await fixture.token(ana).secret.text
        await fixture.database.close()
        #expect(await decide(.token(token)) == .unavailable)
    }

    @Test func playersGetWhatIsForEveryone() {
        #expect(admission.isForEveryone(.channel("canalA")) && admission.isForEveryone(MediaSubject(path: "/vod/film")))
        fixture.accounts.audiences = AudienceRules(channels: ["canalA": .members], tracks: .members)
        #expect(!admission.isForEveryone(.channel("canalA")) && admission.isForEveryone(.channel("canalB")))
        #expect(
            admission.isForEveryone(MediaSubject(path: "/vod/film"))
                && !admission.isForEveryone(MediaSubject(path: "/radio/song")))
        var settings = fixture.accounts.settings
        settings.isOpenToStrangers = false
        fixture.accounts.settings = settings
        #expect(
            !admission.isForEveryone(.channel("canalB")) && !admission.isForEveryone(MediaSubject(path: "/vod/film")))
    }
}
