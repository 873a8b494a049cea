import Accounts
import Crypto
import Database
import DatabaseTestSupport
import GatewayTestSupport
import HLSDelivery
import MediaAccess
import MediaCore
import StreamConnections
import Synchronization
import TestSupport
import Testing
import Viewing
import WebTokens

@testable import Gateway

/// The viewers without an account that another system admits: by HTTP and by RTSP, for each audience.
@Suite(.eitherEngine) struct GuestViewingTests {
    private let fixture: TestAccounts
    private let questions: ViewingQuestions

    private static let secret = [UInt8](repeating: 65, count: 32)
    private static let target = "/live/canalA.stream/playlist.m3u8"
    private static let path = "/live/canalA.stream"

    /// The operator's program.
    private final class Program: Sendable {
        let answer = Mutex<Result<Bool, CancellationError>>(.success(true))
        let asked = Mutex<[HookQuestion]>([])
    }

    private let program = Program()

    init() async throws {
        fixture = try await TestAccounts()
        let clock = fixture.clock
        let links = try await MediaLinks.open(
            fixture.database, program: "test", key: SymmetricKey(size: .bits256), wallClock: clock.wallClock,
            uptime: { clock.elapsed })
        let tokens = MediaTokens(
            TokenVerifier(), TokenKeySource(fixed: [try await TokenKey.secret(Self.secret)]), wallClock: clock.wallClock
        )
        let hook = AuthorizationHook(uptime: { clock.elapsed }) { [program] question in
            program.asked.withLock { $0.append(question) }
            return try program.answer.withLock { try $0.get() }
        }
        let gate = ViewingGate(accounts: fixture.accounts, links: links, tokens: tokens, hook: hook)
        questions = ViewingQuestions(
            viewing: AccountsViewing(gate: gate, authority: TestOperator.authority(fixture.accounts)),
            admission: AccountsStreamAdmission(
                viewing: gate, publishing: PublishingGate(accounts: fixture.accounts, links: links)))
    }

    private func limit(to audience: Audience) {
        fixture.accounts.audiences = AudienceRules(channels: ["canalA": audience])
    }

    private func token(_ path: String = "live/canalA.stream", seconds: Int64 = 600) -> String {
        let end = fixture.clock.time.secondsSince1970 + seconds
        let claims = "{\"exp\": \(end), \"mediamtx_permissions\": [{\"action\": \"read\", \"path\": \"\(path)\"}]}"
        return TestToken.signed(claims, with: Self.secret)
    }

    /// Tokens hold a minute longer, because clocks differ. Both protocols end with them.
    @Test(arguments: [Audience.members, .invited]) func aTokenLetsInUntilItsEnd(_ audience: Audience) async throws {
        limit(to: audience)
        #expect(try await questions.decide(Self.target, token()) == .allowed)
        guard case .allowedWithSignature(let text) = try await questions.decide("\(Self.target)?jwt=\(token())") else {
            Issue.record("not allowed")
            return
        }
        #expect(MediaSignature(parsing: text)?.expiresAt == fixture.clock.time.secondsSince1970 + 660)
        #expect(
            await questions.play(token(), Self.path)
                == .admitted(username: "token of another system", for: .seconds(660)))
        #expect(program.asked.withLock { $0.isEmpty }, "a token needs no other word")
    }

    /// Another path, and a token that has ended: the hook is not asked either.
    @Test(arguments: [Audience.members, .invited])
    func aTokenForSomethingElseLetsNobodyIn(_ audience: Audience) async throws {
        limit(to: audience)
        let isConcealed = audience == .invited
        #expect(
            try await questions.decide(Self.target, token("live/canalB.stream"))
                == (isConcealed ? .concealed : .forbidden))
        #expect(await questions.play(token("live/canalB.stream"), Self.path) == .refused)
        let ended = token(seconds: -61)
        switch try await questions.decide(Self.target, ended) {
        case .linkNotValid: #expect(!isConcealed)
        case .concealed: #expect(isConcealed)
        case let decision: Issue.record("\(decision)")
        }
        #expect(await questions.play(ended, Self.path) == .refused)
        #expect(program.asked.withLock { $0.isEmpty })
    }

    @Test(arguments: [Audience.members, .invited])
    func theProgramIsAskedAboutWhomNothingElseLetsIn(_ audience: Audience) async throws {
        limit(to: audience)
        #expect(try await questions.decide(Self.target, "ticket") == .allowed)
        #expect(await questions.play("ticket", Self.path) == .admitted(username: ""))
        let asked = program.asked.withLock { $0 }
        #expect(asked.map(\.mediaProtocol) == [.hls, .rtsp] && Set(asked.map(\.path)) == ["live/canalA.stream"])
        #expect(asked.allSatisfy { $0.token == "ticket" && $0.action == .read })
        guard case .allowedWithSignature = try await questions.decide("\(Self.target)?ticket=17") else {
            Issue.record("parameters are not repeated, and have to be signed")
            return
        }
        // A reader without a credential has nothing about which it could be asked.
        #expect(await questions.play(nil, Self.path) == .refused)

        program.answer.withLock { $0 = .success(false) }
        #expect(try await questions.decide(Self.target, "other") == (audience == .invited ? .concealed : .loginNeeded))
        #expect(await questions.play("other", Self.path) == .refused)
        program.answer.withLock { $0 = .failure(CancellationError()) }
        #expect(try await questions.decide(Self.target, "third") == .unavailable)
        #expect(await questions.play("third", Self.path) == .unavailable)
    }

    /// A member who was not invited may have a ticket.
    @Test func membersMayHaveATicket() async throws {
        let member = try await fixture.token(try await fixture.session("ana")).secret.text
        limit(to: .invited)
        #expect(try await questions.decide(Self.target, member) == .allowed)
        #expect(await questions.play(member, Self.path) == .admitted(username: "ana"))
        program.answer.withLock { $0 = .success(false) }
        fixture.clock.advance(by: .seconds(61))
        #expect(try await questions.decide(Self.target, member) == .concealed)
        #expect(await questions.play(member, Self.path) == .refused)
    }

    /// A title for everyone needs no decision and no token.
    @Test func whatIsForEveryoneIsNotAskedAbout() async throws {
        #expect(try await questions.decide(Self.target, "ticket") == .open)
        #expect(await questions.play("ticket", Self.path) == .open)
        #expect(program.asked.withLock { $0.isEmpty })
    }
}
