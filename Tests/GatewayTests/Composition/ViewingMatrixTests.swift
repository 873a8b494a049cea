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
import VideoClub
import Viewing

@testable import Gateway

/// The matrix of viewing rights: every kind of address, in every state of a rental, a link, an audience and an account,
/// by HTTP and by RTSP.
///
/// The expected answers are a table that is written by hand; the same table holds for both protocols.
@Suite(.eitherEngine, .timeLimit(.minutes(5))) struct ViewingMatrixTests {
    /// The expected answer.
    private enum Expected: String {
        case open, allowed, rented, loginNeeded, forbidden, concealed, needed, notActivated, over
    }

    private enum Price: String, CaseIterable {
        case free, neverRented, waiting, active, over, refunded
    }

    private enum Circle: String, CaseIterable {
        case everyone, members, invited, hidden

        var audience: Audience {
            switch self {
            case .everyone, .hidden: .everyone
            case .members: .members
            case .invited: .invited
            }
        }
    }

    private enum Sender: String, CaseIterable {
        case stranger, wrongCredential, member, limitedToken, moderator, chief
    }

    private enum Link: String, CaseIterable {
        case valid, madeUp, ofAnother, expired, revoked
    }

    private let fixture: TestAccounts
    private let club: VideoClub
    private let links: MediaLinks
    private let audiences: TitleAudiences
    private let questions: ViewingQuestions

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        let clock = fixture.clock
        club = try await VideoClub.open(
            fixture.database, program: "test", wallClock: clock.wallClock,
            players: RentalPlayers(uptime: { clock.elapsed }))
        club.settings.playersPerRental = 1_000
        links = try await MediaLinks.open(
            fixture.database, program: "test", key: SymmetricKey(size: .bits256), wallClock: clock.wallClock,
            uptime: { clock.elapsed })
        audiences = TitleAudiences(fixture.database, accounts: fixture.accounts, wallClock: clock.wallClock)
        let gate = ViewingGate(accounts: fixture.accounts, links: links, club: club)
        questions = ViewingQuestions(
            viewing: AccountsViewing(gate: gate, authority: TestOperator.authority(fixture.accounts)),
            admission: AccountsStreamAdmission(
                viewing: gate, publishing: PublishingGate(accounts: fixture.accounts, links: links)))
        _ = try await catalogue.add(
            TitleRecord(
                id: "film", title: "film", file: "film.mp4", sourcePath: "/m/film.mp4", state: .ready, duration: 5_400,
                byteCount: 1, modifiedAt: Date(timeIntervalSince1970: 0), revision: "r1",
                addedAt: Date(timeIntervalSince1970: 0)))
    }

    // MARK: Addresses

    /// The addresses of each thing by HTTP, and its paths by RTSP.
    private static let things: [(name: String, targets: [String], paths: [String])] = {
        let all = MediaPaths.all(title: "film", file: "film.mp4")
        return [
            (
                "title", all.filter { $0.hasPrefix("/vod/") },
                [
                    "/vod/film", "/vod/mp4:film.mp4",
                    "/vod/_definst_/mp4:film.mp4",
                ]
            ),
            ("channel", all.filter { $0.hasPrefix("/live/") }, ["/live/canalA.stream"]),
            ("track", all.filter { $0.hasPrefix("/radio/") }, ["/radio/song"]),
        ]
    }()

    // MARK: The table

    /// The rights of a viewer without a link.
    private static func expected(
        _ price: Price, _ circle: Circle, _ sender: Sender, isChannel: Bool = false
    ) -> Expected {
        switch (circle, sender) {
        case (_, .chief): return price == .free && circle == .everyone ? .open : .allowed
        // What members say of a channel is moderated, and not what it sends.
        case (.invited, .moderator) where isChannel: return .concealed
        // A moderator may read what is kept from others, and rents as everybody does.
        case (.invited, .moderator), (.hidden, .moderator): return price == .free ? .allowed : .needed
        case (.invited, _), (.hidden, _): return .concealed
        case (.members, .stranger), (.members, .wrongCredential): return .loginNeeded
        // A token that may not read watches as a stranger.
        case (.members, .limitedToken): return .loginNeeded
        case (.everyone, _) where price == .free: return .open
        case (.everyone, .stranger), (.everyone, .wrongCredential), (.everyone, .limitedToken): return .loginNeeded
        case (_, .moderator): return price == .free ? .allowed : .needed
        case (_, .member):
            switch price {
            case .free: return .allowed
            case .neverRented: return .needed
            case .waiting: return .notActivated
            case .active: return .rented
            case .over, .refunded: return .over
            }
        }
    }

    private static func isExpected(_ decision: ViewingDecision, _ expected: Expected) -> Bool {
        switch (expected, decision) {
        case (.open, .open), (.allowed, .allowed), (.rented, .allowedWithSignature), (.loginNeeded, .loginNeeded),
            (.forbidden, .forbidden), (.concealed, .concealed), (.needed, .rentalMissing(.needed)),
            (.notActivated, .rentalMissing(.notActivated)), (.over, .rentalMissing(.over)):
            true
        default: false
        }
    }

    private static func isExpected(_ decision: StreamAdmissionDecision, _ expected: Expected) -> Bool {
        switch (expected, decision) {
        case (.open, .open), (.allowed, .admitted(_, for: nil, rental: nil)),
            (.rented, .admitted(_, for: _?, rental: _?)),
            (.loginNeeded, .refused), (.forbidden, .refused), (.concealed, .refused), (.needed, .rentalNeeded),
            (.notActivated, .rentalNeeded), (.over, .rentalOver):
            true
        default: false
        }
    }

    // MARK: States

    private func set(_ circle: Circle) async throws {
        try await fixture.database.write { db in
            try AudienceRows.hold(circle == .hidden ? .hidden : nil, in: .titles, of: "film", db)
        }
        var rules = AudienceRules(
            channels: ["canalA": circle.audience], titles: circle.audience, tracks: circle.audience)
        fixture.accounts.audiences = rules
        try await audiences.refresh()
        rules = fixture.accounts.audiences
        #expect(rules.titles == circle.audience)
    }

    private func set(_ price: Price, for member: NewSession) async throws {
        _ = try await club.setTerms(of: "film", from: nil, by: TestAccounts.machine) {
            $0.price = price == .free ? 0 : 5
        }
        try await club.refresh()
        guard price != .free, price != .neverRented else { return }
        let caller = Caller(member.principal, TestAccounts.origin)
        _ = try await club.give(
            5, .topUp, to: try #require(caller.principal.member?.id), key: nil, by: TestAccounts.machine)
        let rental = try await club.rent("film", key: nil, by: caller).rental
        guard price != .waiting else { return }
        _ = try await club.activate(rental.id, by: caller)
        if price == .over { fixture.clock.advance(by: .seconds(48 * 3_600)) }
        if price == .refunded { _ = try await club.refund(rental.id, by: TestAccounts.machine) }
        try await club.sweep()
        try await club.refresh()
    }

    private func credential(_ sender: Sender, _ member: NewSession) async throws -> String? {
        switch sender {
        case .stranger: return nil
        case .wrongCredential: return "wrong"
        case .member: return try await fixture.token(member).secret.text
        case .limitedToken:
            return try await fixture.token(member, Scope(actions: ActionSet([.publish]), channels: ["other"])).secret
                .text
        case .moderator: return try await token("mod", .moderator)
        case .chief: return try await token("chief", .operator)
        }
    }

    private func token(_ name: String, _ role: Role) async throws -> String {
        try await fixture.token(try await fixture.session(name, role)).secret.text
    }

    // MARK: Tests

    /// Asks by HTTP at all addresses, and by RTSP at all paths.
    private func expect(
        _ expected: Expected, _ state: Comment, _ credential: String?, at targets: [String], _ paths: [String]
    ) async throws {
        for target in targets {
            let decision = try await questions.decide(target, credential)
            #expect(Self.isExpected(decision, expected), "\(state): \(target): \(decision), not \(expected)")
        }
        for path in paths {
            let decision = await questions.play(credential, path)
            #expect(Self.isExpected(decision, expected), "\(state): \(path): \(decision), not \(expected)")
        }
    }

    /// Every price, audience and sender, at every address of a title.
    @Test(arguments: Price.allCases) private func titles(_ price: Price) async throws {
        let member = try await fixture.session("ana")
        try await set(price, for: member)
        var credentials: [Sender: String] = [:]
        for sender in Sender.allCases { credentials[sender] = try await credential(sender, member) }
        let (_, targets, paths) = Self.things[0]
        #expect(targets.count > 10 && paths.count == 3)
        for circle in Circle.allCases {
            try await set(circle)
            for sender in Sender.allCases {
                let expected = Self.expected(price, circle, sender)
                let state: Comment = "\(price.rawValue), \(circle.rawValue), \(sender.rawValue)"
                try await expect(expected, state, credentials[sender], at: targets, paths)
            }
        }
    }

    /// Every audience and sender, at every address of a channel and of a track, which nobody rents or hides.
    @Test(arguments: [1, 2]) private func channelsAndTracks(_ index: Int) async throws {
        let member = try await fixture.session("ana")
        let (name, targets, paths) = Self.things[index]
        #expect(targets.count >= 2)
        var credentials: [Sender: String] = [:]
        for sender in Sender.allCases { credentials[sender] = try await credential(sender, member) }
        for circle in Circle.allCases where circle != .hidden {
            try await set(circle)
            for sender in Sender.allCases {
                let expected = Self.expected(.free, circle, sender, isChannel: name == "channel")
                let state: Comment = "\(name), \(circle.rawValue), \(sender.rawValue)"
                try await expect(expected, state, credentials[sender], at: targets, paths)
            }
        }
    }

    /// Every link, at every address, for somebody with and without an account: a link is the operator's word, but does
    /// not open what was hidden. RTSP takes none.
    @Test(arguments: [Price.free, .neverRented]) private func linksOfOperators(_ price: Price) async throws {
        let member = try await fixture.session("ana")
        try await set(price, for: member)
        let token = try await fixture.token(member).secret.text
        for (name, targets, paths) in Self.things {
            for link in Link.allCases {
                // Made while everything is there, and looked at in each state.
                var signed: [(target: String, path: String)] = []
                for target in targets { signed.append((target, try await path(link, target))) }
                for circle in Circle.allCases where circle != .hidden || name == "title" {
                    try await set(circle)
                    for credential in [nil, token] {
                        for (target, path) in signed {
                            let decision = try await questions.decide(path, credential)
                            let isRented = name == "title" && price != .free
                            #expect(
                                Self.isExpected(decision, link, circle, isRented: isRented),
                                "\(price.rawValue), \(link.rawValue), \(circle.rawValue): \(target): \(decision)")
                        }
                    }
                }
                try await set(.everyone)
            }
            let signature = links.sign(
                try #require(MediaSubject(path: paths[0])).folder, until: links.now + .seconds(60))
            for path in paths { #expect(MediaSubject(path: "/signed/\(signature.text)\(path)") == nil) }
        }
    }

    /// The path of a target with a link in a state.
    private func path(_ link: Link, _ target: String) async throws -> String {
        let folder = try #require(MediaAddress(target: target)).folder
        switch link {
        case .valid: return "/signed/\(links.sign(folder, until: links.now + .seconds(864_000)).text)\(target)"
        case .madeUp: return "/signed/exp=9000000000,id=abc,sig=abcdefghijklmnopqrstuv\(target)"
        case .ofAnother:
            return "/signed/\(links.sign("/vod/another", until: links.now + .seconds(864_000)).text)\(target)"
        case .expired: return "/signed/\(links.sign(folder, until: links.now - .seconds(60)).text)\(target)"
        case .revoked:
            let made = try await links.create("press", folder: folder, target: target, by: TestAccounts.machine)
            try await links.revoke(made.id, by: TestAccounts.machine)
            let prefix = links.path(of: made).prefix { $0 != "," }
            #expect(prefix.hasPrefix("/signed/exp="))
            return String(links.path(of: made).dropLast(target.utf8.count)) + target
        }
    }

    private static func isExpected(
        _ decision: ViewingDecision, _ link: Link, _ circle: Circle, isRented: Bool
    ) -> Bool {
        // Only an account opens what was hidden, and this one may not read it.
        if circle == .hidden { return decision == .concealed }
        switch (link, decision) {
        case (.valid, .allowedByPath): return true
        // A made-up signature must not tell that there is something.
        case (.madeUp, .concealed), (.ofAnother, .concealed): return circle == .invited
        case (.madeUp, .linkNotValid), (.ofAnother, .linkNotValid): return circle != .invited
        case (.expired, .rentalMissing(.over)): return isRented
        case (.expired, .linkNotValid): return !isRented
        case (.revoked, .linkNotValid): return true
        default: return false
        }
    }
}
