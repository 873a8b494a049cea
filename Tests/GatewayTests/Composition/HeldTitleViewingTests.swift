import Accounts
import Catalogue
import Crypto
import Database
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HLSDelivery
import MediaAccess
import MediaCore
import StreamConnections
import TestSupport
import Testing
import Viewing

@testable import Gateway

/// The answers to each kind of address of a title while it is unlisted or hidden, by HTTP and by RTSP.
@Suite(.eitherEngine) struct HeldTitleViewingTests {
    private let fixture: TestAccounts
    private let viewing: AccountsViewing
    private let admission: AccountsStreamAdmission
    private let links: MediaLinks
    private let audiences: TitleAudiences

    private static let targets = ViewingQuestions.targets
    private var questions: ViewingQuestions { ViewingQuestions(viewing: viewing, admission: admission) }

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        let clock = fixture.clock
        links = try await MediaLinks.open(
            fixture.database, program: "test", key: SymmetricKey(size: .bits256), wallClock: clock.wallClock,
            uptime: { clock.elapsed })
        let gate = ViewingGate(accounts: fixture.accounts, links: links)
        viewing = AccountsViewing(gate: gate, authority: TestOperator.authority(fixture.accounts))
        admission = AccountsStreamAdmission(
            viewing: gate, publishing: PublishingGate(accounts: fixture.accounts, links: links))
        audiences = TitleAudiences(fixture.database, accounts: fixture.accounts, wallClock: clock.wallClock)
        for id in ["film", "other"] {
            _ = try await catalogue.add(
                TitleRecord(
                    id: id, title: id, file: "\(id).mp4", sourcePath: "/m/\(id).mp4", state: .ready, byteCount: 1,
                    modifiedAt: Date(timeIntervalSince1970: 0), revision: "r1", addedAt: Date(timeIntervalSince1970: 0))
            )
        }
    }

    private func hold(_ reason: HoldReason?) async throws {
        try await fixture.database.write { db in try AudienceRows.hold(reason, in: .titles, of: "film", db) }
        try await audiences.refresh()
    }

    private func decide(_ target: String, _ credential: String? = nil) async throws -> ViewingDecision {
        try await questions.decide(target, credential)
    }

    /// The same addresses with a signature in front, as an unlisted video's page has them.
    private func signed(_ target: String) throws -> String {
        let folder = try #require(MediaAddress(target: target)).folder
        return "/signed/\(links.sign(folder, until: links.now + .seconds(3_600)).text)\(target)"
    }

    private func play(_ token: String?) async -> StreamAdmissionDecision {
        await questions.play(token)
    }

    @Test func whatIsUnlistedPlaysThroughSignedAddressesOnly() async throws {
        let member = try await fixture.token(try await fixture.session("ana")).secret.text
        #expect(try await decide("/vod/film/playlist.m3u8") == .open)
        try await hold(.unlisted)
        for target in Self.targets {
            #expect(try await decide(target) == .concealed, "\(target)")
            #expect(try await decide(target, member) == .concealed, "\(target)")
            guard case .allowedByPath = try await decide(try signed(target)) else {
                Issue.record("\(target) is not allowed")
                continue
            }
        }
        #expect(await play(nil) == .refused)
        #expect(await play(member) == .refused)
        #expect(try await decide("/vod/other/playlist.m3u8") == .open)
        try await hold(nil)
        for target in Self.targets { #expect(try await decide(target) == .open, "\(target)") }
    }

    @Test func whatIsHiddenPlaysForModeratorsOnly() async throws {
        let member = try await fixture.token(try await fixture.session("ana")).secret.text
        let moderator = try await fixture.token(try await fixture.session("mod", .moderator)).secret.text
        try await hold(.hidden)
        for target in Self.targets {
            for address in [target, try signed(target)] {
                #expect(try await decide(address) == .concealed, "\(address)")
                #expect(try await decide(address, member) == .concealed, "\(address)")
                #expect(try await decide(address, moderator) == .allowed, "\(address)")
            }
        }
        #expect(await play(nil) == .refused)
        #expect(await play(member) == .refused)
        #expect(await play(moderator) == .admitted(username: "mod"))
    }
}
