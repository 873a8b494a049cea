import Accounts
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import VideoClub

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct TermsAndVotesTests {
    @Test func ofTwoChangesByTheSameRevisionOneIsRefused() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5)
        #expect(
            await ClubFixture.code {
                try await fixture.club.setTerms(of: "a", from: [0], by: fixture.operatorCaller) { $0.price = 6 }
            } == .changedMeanwhile)
        #expect(try await fixture.club.terms(of: "a").price == 5)
    }

    @Test func aTrailerNeverNeedsARental() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5) { $0.trailer = "b" }
        #expect(try await fixture.club.terms(of: "a").trailer == "b")
        #expect(await ClubFixture.code { try await fixture.price("b", 1) } == .invalidField)
        #expect(await ClubFixture.code { try await fixture.price("c", 1) { $0.trailer = "a" } } == .invalidField)
        #expect(await ClubFixture.code { try await fixture.price("c", 1) { $0.trailer = "c" } } == .invalidField)
        #expect(await ClubFixture.code { try await fixture.price("c", 1) { $0.trailer = "none" } } == .invalidField)
    }

    @Test func otherServersLearnWhatNeedsARental() async throws {
        let fixture = try await ClubFixture()
        let other = try await fixture.other()
        #expect(other.entitlements.isEmpty)
        #expect(!other.entitlements.mayNeedRental(titleFile: "a.mp4"))
        try await fixture.price("a", 5)
        #expect(fixture.club.entitlements.needsRental(titleID: "a"))
        try await other.refresh()
        #expect(other.entitlements.needsRental(titleID: "a"))
        #expect(!other.entitlements.needsRental(titleID: "b"))
        try await fixture.price("a", 0)
        try await other.refresh()
        #expect(other.entitlements.isEmpty)
    }

    /// A check says what a change would say, and changes nothing.
    @Test func termsAreCheckedAsTheyAreSet() async throws {
        let fixture = try await ClubFixture()
        let club = fixture.club
        try await fixture.price("a", 0) { $0.trailer = "b" }
        try await fixture.price("c", 5)
        let cases: [(title: String, price: Int64, trailer: String?)] = [
            ("b", 5, nil), ("d", 5, "c"), ("d", 5, "d"), ("d", 5, "none"), ("none", 5, nil), ("d", -1, nil),
            ("d", 5, "b"), ("d", 5, "e"), ("c", 0, "b"),
        ]
        for (title, price, trailer) in cases {
            var terms = TitleTerms()
            (terms.price, terms.trailer) = (price, trailer)
            let old = try? await club.terms(of: title)
            let checked = await ClubFixture.code { [terms] in try await club.check(terms, of: title) }
            let after = try? await club.terms(of: title)
            #expect(after == old)
            let set = await ClubFixture.code { [terms] in
                try await club.setTerms(of: title, from: nil, by: fixture.operatorCaller) {
                    ($0.price, $0.trailer) = (terms.price, terms.trailer)
                }
            }
            #expect(checked == set, "\(title) \(price) \(trailer ?? "")")
        }
    }

    @Test func aCheckCountsWhatWasCheckedBefore() async throws {
        let fixture = try await ClubFixture()
        let club = fixture.club
        try await fixture.price("a", 0) { $0.trailer = "b" }
        try await fixture.price("c", 5)
        func terms(_ price: Int64, _ trailer: String? = nil) -> TitleTerms {
            var terms = TitleTerms()
            (terms.price, terms.trailer) = (price, trailer)
            return terms
        }
        // No longer the trailer of anything, free meanwhile, and the other way round.
        #expect(await ClubFixture.code { try await club.check(terms(5), of: "b", assuming: ["a": terms(0)]) } == nil)
        #expect(
            await ClubFixture.code { try await club.check(terms(5, "c"), of: "d", assuming: ["c": terms(0)]) } == nil)
        #expect(
            await ClubFixture.code { try await club.check(terms(5), of: "d", assuming: ["e": terms(0, "d")]) }
                == .invalidField)
        #expect(
            await ClubFixture.code { try await club.check(terms(5, "e"), of: "d", assuming: ["e": terms(1)]) }
                == .invalidField)
    }

    @Test func trailersAreForMembersIfTheOperatorWantsThat() async throws {
        let fixture = try await ClubFixture()
        let club = fixture.club
        try await fixture.price("a", 0) { $0.trailer = "b" }
        #expect(club.restriction(ofTitle: "b") == nil)
        #expect(try await club.restriction(ofFile: "b.mp4") == nil)
        club.settings.trailers = .members
        try await club.refresh()
        #expect(club.restriction(ofTitle: "b") == .membersOnly)
        #expect(try await club.restriction(ofFile: "b.mp4") == .membersOnly)
        #expect(club.restriction(ofTitle: "a") == nil)
        club.settings.trailers = .everybody
        try await club.refresh()
        #expect(club.restriction(ofTitle: "b") == nil)
    }

    @Test func whatHappensIsCountedOnce() async throws {
        let fixture = try await ClubFixture()
        let (club, caller) = (fixture.club, fixture.operatorCaller)
        let ana = try await fixture.member("ana", credits: 7)
        try await fixture.price("a", 5)
        let give = RequestKey("g", of: "give", by: caller)
        for _ in 0..<2 {
            _ = try await club.give(
                2, .gift, to: try ClubFixture.id(ana), life: .seconds(3_600), key: give, by: caller)
        }
        let key = RequestKey("k", of: "rent", by: ana)
        var rental = try await club.rent("a", key: key, by: ana).rental
        rental = try await club.rent("a", key: key, by: ana).rental
        #expect(await ClubFixture.code { try await club.rent("a", key: nil, by: ana) } != nil)
        for _ in 0..<2 { _ = try await club.activate(rental.id, by: ana) }
        #expect(try await club.openRentals() == [.rented: 0, .activated: 1])
        for _ in 0..<2 { _ = try await club.refund(rental.id, by: caller) }
        fixture.clock.advance(by: .seconds(8 * 86_400))
        for _ in 0..<2 { try await club.sweep() }
        let statistics = club.statistics
        #expect(ClubStatistics.Event.allCases.map { statistics.count($0) } == [1, 1, 0, 1])
        #expect(statistics.count(.alreadyRented) == 1)
        #expect(CreditReason.allCases.map { statistics.credits($0) } == [7, 0, 2, 5, 5, 0, 2])
    }

    /// The names of files are asked for, because a file may be renamed at any time.
    @Test func aTitleIsFoundByTheNameOfItsFile() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5)
        let entitlements = fixture.club.entitlements
        #expect(entitlements.mayNeedRental(titleFile: "a.mp4"))
        #expect(try await fixture.club.restriction(ofFile: "a.mp4") == .rental(title: "a"))
        #expect(entitlements.mayNeedRental(titleFile: "a.mp4"))
        #expect(try await fixture.club.restriction(ofFile: "b.mp4") == nil)
        #expect(!entitlements.mayNeedRental(titleFile: "b.mp4"))
        try await fixture.club.refresh()
        #expect(entitlements.mayNeedRental(titleFile: "b.mp4"))
    }

    @Test func aMemberVotesOnce() async throws {
        let fixture = try await ClubFixture()
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        for rating in [0, 11, -1, .max] {
            #expect(
                await ClubFixture.code { try await fixture.club.vote(rating, for: "a", by: ana) } == .invalidField)
        }
        #expect(try await fixture.club.vote(7, for: "a", by: ana) == VoteTally(count: 1, sum: 7))
        #expect(await ClubFixture.code { try await fixture.club.vote(8, for: "a", by: ana) } == .alreadyVoted)
        #expect(try await fixture.club.vote(10, for: "a", by: eva).average == 8.5)
        let (tally, own) = try await fixture.club.votes(for: "a", of: try ClubFixture.id(ana))
        #expect(tally.count == 2)
        #expect(own == 7)
    }

    @Test func theSettingLetsOnlyRentersVoteAndVotesChange() async throws {
        let fixture = try await ClubFixture(ClubSettings(voters: .renters, votesMayChange: true))
        let ana = try await fixture.member("ana", credits: 5)
        try await fixture.price("a", 5)
        #expect(await ClubFixture.code { try await fixture.club.vote(7, for: "a", by: ana) } == .notARenter)
        _ = try await fixture.club.rent("a", key: nil, by: ana)
        _ = try await fixture.club.vote(7, for: "a", by: ana)
        #expect(try await fixture.club.vote(9, for: "a", by: ana) == VoteTally(count: 1, sum: 9))
    }

    @Test func votesAtTheSameTimeAllCount() async throws {
        let fixture = try await ClubFixture()
        var callers: [Caller] = []
        for number in 0..<20 { callers.append(try await fixture.member("m\(number)")) }
        try await withThrowingTaskGroup { group in
            for caller in callers { group.addTask { _ = try await fixture.club.vote(5, for: "a", by: caller) } }
            try await group.waitForAll()
        }
        #expect(try await fixture.club.votes(for: "a", of: nil).tally == VoteTally(count: 20, sum: 100))
    }
}
