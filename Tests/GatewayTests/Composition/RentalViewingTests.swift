import APIContract
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
import NIOCore
import RTSPServer
import StreamConnections
import TestSupport
import Testing
import VideoClub
import Viewing

@testable import Gateway

/// The answers to each kind of address of a title in each state of a rental, by HTTP and by RTSP.
@Suite(.eachEngine) struct RentalViewingTests {
    private let fixture: TestAccounts
    private let catalogue: Catalogue
    private let club: VideoClub
    private let viewing: AccountsViewing
    private let admission: AccountsStreamAdmission
    private let links: MediaLinks

    private static let targets = ViewingQuestions.targets
    private var questions: ViewingQuestions { ViewingQuestions(viewing: viewing, admission: admission) }

    init() async throws {
        fixture = try await TestAccounts()
        catalogue = try await Catalogue.open(fixture.database, program: "test")
        let clock = fixture.clock
        club = try await VideoClub.open(
            fixture.database, program: "test", wallClock: clock.wallClock,
            players: RentalPlayers(uptime: { clock.elapsed }))
        links = try await MediaLinks.open(
            fixture.database, program: "test", key: SymmetricKey(size: .bits256), wallClock: clock.wallClock,
            uptime: { clock.elapsed })
        let gate = ViewingGate(accounts: fixture.accounts, links: links, club: club)
        viewing = AccountsViewing(gate: gate, authority: TestOperator.authority(fixture.accounts))
        admission = AccountsStreamAdmission(
            viewing: gate, publishing: PublishingGate(accounts: fixture.accounts, links: links))
        for id in ["film", "other"] {
            _ = try await catalogue.add(
                TitleRecord(
                    id: id, title: id, file: "\(id).mp4", sourcePath: "/m/\(id).mp4", state: .ready, duration: 5_400,
                    byteCount: 1,
                    modifiedAt: Date(timeIntervalSince1970: 0), revision: "r1", addedAt: Date(timeIntervalSince1970: 0))
            )
        }
        _ = try await club.setTerms(of: "film", from: [0], by: TestAccounts.machine) { $0.price = 5 }
    }

    private func decide(_ target: String, _ credential: String? = nil) async throws -> ViewingDecision {
        try await questions.decide(target, credential)
    }

    private func expect(
        _ decision: ViewingDecision, _ credential: String?, _ what: Comment,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        for target in Self.targets {
            #expect(try await decide(target, credential) == decision, what, sourceLocation: location)
        }
    }

    private func play(_ token: String?, _ path: String = "/vod/film") async -> StreamAdmissionDecision {
        await questions.play(token, path)
    }

    private struct Renter {
        let caller: Caller
        let token: String
        let tokenID: OpaqueID
    }

    /// A member with a token and five credits.
    private func member(_ name: String) async throws -> Renter {
        let session = try await fixture.session(name)
        let caller = Caller(session.principal, TestAccounts.origin)
        let id = try #require(caller.principal.member?.id)
        _ = try await club.give(5, .topUp, to: id, key: nil, by: TestAccounts.machine)
        let token = try await fixture.token(session)
        return Renter(caller: caller, token: token.secret.text, tokenID: token.token.id)
    }

    /// The rental that a renter plays by RTSP.
    private func played(_ rental: Rental, _ renter: Renter) -> StreamRental {
        StreamRental(id: rental.id.text, session: String(renter.tokenID.text.prefix(8)))
    }

    /// The path with which a rental's playlist is opened, without a credential.
    private func signedPath(_ token: String, _ target: String = "/vod/film/playlist.m3u8") async throws -> String {
        guard case .allowedWithSignature(let signature) = try await decide(target, token) else {
            Issue.record("not allowed")
            return target
        }
        return "/signed/\(signature)\(target)"
    }

    /// One signed playlist that is copied to many devices, and whatever else opens the rental, by every kind of URL.
    @Test func furtherPlayersOfARentalWait() async throws {
        club.settings.playersPerRental = 2
        let ana = try await member("ana")
        let rental = try await club.rent("film", key: nil, by: ana.caller).rental
        _ = try await club.activate(rental.id, by: ana.caller)
        guard
            case .allowedWithSignature(let text) = try await questions.decide(
                "/vod/film/playlist.m3u8", ana.token, from: "192.0.2.1", agent: "tv")
        else {
            Issue.record("not allowed")
            return
        }
        let signed = Self.targets.filter { $0.hasPrefix("/vod/film/") }.map { "/signed/\(text)\($0)" }
        #expect(signed.count > 8)
        func expect(
            _ isExpected: Bool, _ client: String, _ agent: String, _ what: Comment, _ targets: [String]? = nil
        ) async throws {
            for target in targets ?? signed {
                let decision = try await questions.decide(target, from: client, agent: agent)
                guard isExpected else {
                    #expect(decision == .rentalMissing(.tooManyPlayers(limit: 2)), "\(what): \(target)")
                    continue
                }
                guard case .allowedByPath = decision else {
                    Issue.record("\(what): \(target): \(decision)")
                    continue
                }
            }
        }
        try await expect(true, "192.0.2.1", "tv", "the player that was given the address")
        try await expect(true, "192.0.2.2", "telephone", "a second one")
        try await expect(false, "192.0.2.3", "telephone", "a third address")
        let media = try signed.filter { try #require(MediaAddress(target: $0)).isPlayed }
        try await expect(false, "192.0.2.1", "tablet", "a third program", media)
        let beside = signed.filter { !media.contains($0) }
        #expect(!beside.isEmpty)
        try await expect(true, "192.0.2.1", "page", "what is beside the film, where it plays", beside)
        for target in Self.targets {
            #expect(
                try await questions.decide(target, ana.token, from: "192.0.2.3")
                    == .rentalMissing(.tooManyPlayers(limit: 2)), "with the credential, too")
        }
        let stranger = try SocketAddress(ipAddress: "192.0.2.4", port: 554)
        #expect(await questions.play(ana.token, from: stranger) == .tooManyPlayers(limit: 2))
        #expect(club.statistics.count(.tooManyPlayers) > 0)
        #expect(club.players.count(of: rental.id.text) == 2)
        // The telephone leaves the house: the old address makes room after the window, and not the television.
        fixture.clock.advance(by: RentalPlayers.window - .seconds(1))
        try await expect(true, "192.0.2.1", "tv", "it goes on")
        try await expect(false, "198.51.100.7", "telephone", "within the window")
        fixture.clock.advance(by: .seconds(1))
        #expect(
            await questions.play(ana.token, from: stranger)
                == .admitted(
                    username: "ana", for: .seconds(48 * 3_600) - RentalPlayers.window, rental: played(rental, ana)))
        for _ in 0..<3 {
            fixture.clock.advance(by: RentalPlayers.window / 2)
            #expect(!admission.isEndedEarly(played(rental, ana), from: stranger))
            try await expect(true, "192.0.2.1", "tv", "it goes on")
            try await expect(false, "198.51.100.7", "telephone", "an RTSP session keeps its place while it plays")
        }
        fixture.clock.advance(by: RentalPlayers.window)
        try await expect(true, "198.51.100.7", "telephone", "all others have gone")
    }

    /// An encoder's token plays nothing that its owner has rented, by HTTP and by RTSP.
    @Test func aTokenForSomethingElsePlaysNoRental() async throws {
        let session = try await fixture.session("ana")
        let caller = Caller(session.principal, TestAccounts.origin)
        let id = try #require(caller.principal.member?.id)
        _ = try await club.give(5, .topUp, to: id, key: nil, by: TestAccounts.machine)
        let rental = try await club.rent("film", key: nil, by: caller).rental
        _ = try await club.activate(rental.id, by: caller)
        func token(_ actions: [Action], _ channels: Set<String>? = nil) async throws -> String {
            try await fixture.token(session, Scope(actions: ActionSet(actions), channels: channels)).secret.text
        }
        for other in [
            try await token([.publish]), try await token([.manage, .rent]), try await token([.read], ["canalA"]),
        ] {
            try await expect(.loginNeeded, other, "a token that may not read the title")
            #expect(await play(other) == .refused)
        }
        let reading = try await token([.read])
        guard case .allowedWithSignature = try await decide("/vod/film/playlist.m3u8", reading) else {
            Issue.record("a token that may read plays")
            return
        }
    }

    @Test func eachStateHasItsAnswer() async throws {
        let ana = try await member("ana")
        try await expect(.loginNeeded, nil, "a stranger")
        try await expect(.loginNeeded, "wrong", "a wrong credential")
        try await expect(.rentalMissing(.needed), ana.token, "never rented")
        #expect(await play(nil) == .refused)
        #expect(await play(ana.token) == .rentalNeeded)
        let rental = try await club.rent("film", key: nil, by: ana.caller).rental
        try await expect(.rentalMissing(.notActivated), ana.token, "rented")
        #expect(await play(ana.token) == .rentalNeeded)
        _ = try await club.activate(rental.id, by: ana.caller)
        for target in Self.targets {
            guard case .allowedWithSignature = try await decide(target, ana.token) else {
                Issue.record("\(target) is not allowed")
                continue
            }
        }
        let playing = StreamAdmissionDecision.admitted(
            username: "ana", for: .seconds(48 * 3_600), rental: played(rental, ana))
        #expect(await play(ana.token) == playing)
        let paths = [
            try await signedPath(ana.token), try await signedPath(ana.token, "/vod/mp4:film.mp4/playlist.m3u8"),
        ]
        for path in paths {
            guard case .allowedByPath(let seconds) = try await decide(path) else {
                Issue.record("\(path) is not allowed")
                continue
            }
            #expect((48 * 3_600 - 2...48 * 3_600).contains(Int(seconds)))
        }
        fixture.clock.advance(by: .seconds(48 * 3_600))
        try await expect(.rentalMissing(.over), ana.token, "expired")
        for path in paths { #expect(try await decide(path) == .rentalMissing(.over)) }
        #expect(await play(ana.token) == .rentalOver)
    }

    @Test func whatEndsEarlyEndsForTheAddressToo() async throws {
        for end in ["refund", "deletion", "suspension"] {
            let ana = try await member(end)
            let rental = try await club.rent("film", key: nil, by: ana.caller).rental
            _ = try await club.activate(rental.id, by: ana.caller)
            let path = try await signedPath(ana.token)
            guard case .allowedByPath = try await decide(path) else {
                Issue.record("not allowed")
                continue
            }
            #expect(!admission.isEndedEarly(played(rental, ana), from: nil), "\(end)")
            let id = try #require(ana.caller.principal.member?.id)
            switch end {
            case "refund": _ = try await club.refund(rental.id, by: TestAccounts.machine)
            case "deletion": _ = try await fixture.accounts.removeAccount(id, by: TestAccounts.machine)
            default: _ = try await fixture.accounts.suspend(id, by: TestAccounts.machine)
            }
            try await club.refresh()
            #expect(try await decide(path) == .rentalMissing(.over), "\(end)")
            #expect(admission.isEndedEarly(played(rental, ana), from: nil), "\(end), for an RTSP session that plays")
            fixture.clock.advance(by: .seconds(2))
            let decision = try await decide("/vod/film/playlist.m3u8", ana.token)
            #expect(decision == (end == "refund" ? .rentalMissing(.over) : .loginNeeded), "\(end)")
        }
    }

    /// A question about a name that no file has opens none that only Unicode takes for equal.
    @Test func namesOfFilesThatLookEqualShareNoDecision() async throws {
        let (composed, decomposed) = ("ni\u{F1}o.mp4", "nin\u{303}o.mp4")
        #expect(composed == decomposed)
        _ = try await catalogue.add(
            TitleRecord(
                id: "nino", title: "nino", file: composed, sourcePath: "/m/\(composed)", state: .ready, duration: 60,
                byteCount: 1, modifiedAt: Date(timeIntervalSince1970: 0), revision: "r1",
                addedAt: Date(timeIntervalSince1970: 0)))
        _ = try await club.setTerms(of: "nino", from: [0], by: TestAccounts.machine) { $0.price = 5 }
        try await club.refresh()
        #expect(try await decide("/vod/mp4:nin%CC%83o.mp4/playlist.m3u8") == .open)
        #expect(await play(nil, "/vod/mp4:nin%CC%83o.mp4") == .open)
        #expect(try await decide("/vod/mp4:ni%C3%B1o.mp4/playlist.m3u8") == .loginNeeded)
        #expect(await play(nil, "/vod/mp4:ni%C3%B1o.mp4") == .refused)
    }

    /// The address of an unlisted video, and that of an own upload, are for something without a price; a link of an
    /// operator is the operator's word.
    @Test func aSignatureForSomethingFreeEndsWithThePrice() async throws {
        let end = links.now + .seconds(3_600)
        let free = "/signed/\(links.signWhileFree("/vod/other", until: end).text)/vod/other"
        let link = "/signed/\(links.sign("/vod/other", until: end).text)/vod/other"
        let targets = Self.targets.filter { $0.hasPrefix("/vod/film/") }.map { $0.dropFirst("/vod/film".count) }
        #expect(targets.count > 5)
        func expect(_ folder: String, isRefused: Bool, _ what: Comment) async throws {
            for target in targets {
                let decision = try await decide("\(folder)\(target)")
                #expect((decision == .rentalMissing(.needed)) == isRefused, what)
                guard !isRefused else { continue }
                guard case .allowedByPath = decision else {
                    Issue.record("\(decision)")
                    continue
                }
            }
        }
        try await expect(free, isRefused: false, "without a price")
        _ = try await club.setTerms(of: "other", from: nil, by: TestAccounts.machine) { $0.price = 5 }
        try await club.refresh()
        try await expect(free, isRefused: true, "with a price")
        try await expect(link, isRefused: false, "by a link")
        _ = try await club.setTerms(of: "other", from: nil, by: TestAccounts.machine) { $0.price = 0 }
        try await club.refresh()
        try await expect(free, isRefused: false, "without a price again")
    }

    /// A refund on another server reaches an RTSP session that plays after both times.
    @Test func whatEndsEarlyEndsWithinASecond() {
        #expect(DatabaseChanges.interval + RTSPServerLimits.playbackCheckInterval < .seconds(1))
    }

    /// A player that has the list of renditions goes on; nobody begins after the rental's end.
    @Test func whoHasBegunMaySeeTheEndOfTheFilm() async throws {
        club.settings.atEnd = .letTheFilmEnd
        let ana = try await member("ana")
        let rental = try await club.rent("film", key: nil, by: ana.caller).rental
        _ = try await club.activate(rental.id, by: ana.caller)
        let path = try await signedPath(ana.token)
        let segment = path.replacing("playlist.m3u8", with: "r1/video/1.m4s")
        let playing = StreamAdmissionDecision.admitted(
            username: "ana", for: .seconds(48 * 3_600 + 5_400), rental: played(rental, ana))
        #expect(await play(ana.token) == playing)
        guard case .allowedByPath = try await decide(path) else {
            Issue.record("not allowed during the rental")
            return
        }
        fixture.clock.advance(by: .seconds(48 * 3_600))
        try await club.sweep()
        try await club.refresh()
        #expect(try await decide(path) == .rentalMissing(.over), "nobody begins after the end")
        #expect(try await decide("/vod/film/playlist.m3u8", ana.token) == .rentalMissing(.over))
        #expect(await play(ana.token) == .rentalOver)
        guard case .allowedByPath(let seconds) = try await decide(segment) else {
            Issue.record("the film does not go on")
            return
        }
        #expect((5_398...5_400).contains(seconds))
        club.settings.atEnd = .stop
        #expect(try await decide(segment) == .rentalMissing(.over), "the setting holds for what has begun, too")
        club.settings.atEnd = .letTheFilmEnd
        fixture.clock.advance(by: .seconds(5_400))
        #expect(try await decide(segment) == .rentalMissing(.over), "the film is over")
    }

    @Test func whatWasRefundedDoesNotGoOnAfterTheRentalsEnd() async throws {
        club.settings.atEnd = .letTheFilmEnd
        let ana = try await member("ana")
        let rental = try await club.rent("film", key: nil, by: ana.caller).rental
        _ = try await club.activate(rental.id, by: ana.caller)
        let segment = try await signedPath(ana.token).replacing("playlist.m3u8", with: "r1/video/1.m4s")
        fixture.clock.advance(by: .seconds(48 * 3_600 - 60))
        _ = try await club.refund(rental.id, by: TestAccounts.machine)
        for _ in 0..<2 {
            try await club.sweep()
            try await club.refresh()
            #expect(try await decide(segment) == .rentalMissing(.over))
            fixture.clock.advance(by: .seconds(60))
        }
    }

    @Test func aDeletedTitleLeavesNothingToANewOneWithItsName() async throws {
        let ana = try await member("ana")
        let rental = try await club.rent("film", key: nil, by: ana.caller).rental
        _ = try await club.activate(rental.id, by: ana.caller)
        let path = try await signedPath(ana.token)
        try await catalogue.deleteTitle(id: "film")
        try await club.sweep()
        try await club.refresh()
        #expect(try await decide(path) == .rentalMissing(.over))
    }

    @Test func operatorsAndLinksOfOperatorsNeedNoRental() async throws {
        let chief = try await fixture.token(try await fixture.session("chief", .operator)).secret.text
        try await expect(.allowed, chief, "an operator")
        try await expect(.allowed, TestOperator.token.text, "the machine")
        #expect(await play(chief) == .admitted(username: "chief"))
        let link = try await links.create(
            "press", folder: "/vod/film", target: "/vod/film/playlist.m3u8", by: TestAccounts.machine)
        guard case .allowedByPath = try await decide(links.path(of: link)) else {
            Issue.record("the link is not valid")
            return
        }
    }

    @Test func aTrailerForMembersIsNotPlayedByStrangers() async throws {
        _ = try await club.setTerms(of: "film", from: nil, by: TestAccounts.machine) { $0.trailer = "other" }
        let ana = try await member("ana")
        let targets = ["/vod/other/playlist.m3u8", "/vod/mp4:other.mp4/playlist.m3u8"]
        for path in ["/vod/other", "/vod/mp4:other.mp4"] { #expect(await play(nil, path) == .open) }
        club.settings.trailers = .members
        try await club.refresh()
        #expect(!admission.isForEveryone(MediaSubject(path: "/vod/other")))
        for path in ["/vod/other", "/vod/mp4:other.mp4", "/vod/_definst_/mp4:other.mp4"] {
            #expect(await play(nil, path) == .refused, "\(path)")
            #expect(await play("wrong", path) == .refused, "\(path)")
            // Members need no rental for it.
            #expect(await play(ana.token, path) == .admitted(username: "ana"), "\(path)")
        }
        for target in targets { #expect(try await decide(target) == .loginNeeded, "\(target)") }
    }

    /// A title without a rental is as it was, also by the name of its file, which only the database knows.
    @Test func otherTitlesStayOpen() async throws {
        #expect(viewing.isForEveryone(.title(id: "other")))
        for target in ["/vod/mp4:other.mp4/playlist.m3u8", "/vod/mp4:none.mp4/playlist.m3u8"] {
            #expect(try await decide(target) == .open)
            #expect(try await decide(target, "wrong") == .open)
        }
        #expect(viewing.isForEveryone(.titleFile(name: "other.mp4")))
        #expect(!viewing.isForEveryone(.titleFile(name: "film.mp4")))
        #expect(await play(nil, "/vod/other") == .open)
        #expect(await play(nil, "/vod/mp4:other.mp4") == .open)
        #expect(await play(nil, "/vod/mp4:film.mp4") == .refused)
    }
}
