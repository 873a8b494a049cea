import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import VideoClub

/// A clock that is wrong for a minute ends nothing that somebody has paid for or been given.
@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ClockStepTests {
    private static let day = Duration.seconds(86_400)

    private struct Setting {
        let fixture: ClubFixture
        let club: VideoClub
        let ana: Caller

        init() async throws {
            fixture = try await ClubFixture()
            let clock = fixture.clock
            club = try await VideoClub.open(
                fixture.database, program: "test", wallClock: clock.wallClock,
                steadiness: ClockSteadiness(
                    wallClock: clock.wallClock, elapsed: { clock.elapsed }, onStep: { _ in }))
            ana = try await fixture.member("ana", credits: 20)
            for title in ["a", "b"] {
                try await fixture.price(title, 5) { $0.timeToStart = .seconds(30 * 86_400) }
            }
        }

        /// The clock is wrong for a minute, in which everything happens that happens by itself.
        func stepping(_ step: Duration) async throws {
            let clock = fixture.clock
            clock.set(clock.time + step)
            try await club.sweep()
            clock.advance(by: .seconds(60))
            try await club.sweep()
            clock.set(clock.time - step)
            try await club.sweep()
        }
    }

    @Test(arguments: [day, day * 400, .zero - day, .zero - day * 400])
    func rentalsAndGiftsSurviveAStep(_ step: Duration) async throws {
        let setting = try await Setting()
        let (club, ana, id) = (setting.club, setting.ana, try ClubFixture.id(setting.ana))
        _ = try await club.give(7, .gift, to: id, life: Self.day / 2, key: nil, by: setting.fixture.operatorCaller)
        let watched = try await club.activate(try await club.rent("a", key: nil, by: ana).rental.id, by: ana)
        let waiting = try await club.rent("b", key: nil, by: ana).rental
        let balance = try await setting.fixture.balance(ana)
        try await setting.stepping(step)
        #expect(try await club.rental(watched.id).state(at: club.now) == .activated)
        #expect(try await club.rental(waiting.id).state(at: club.now) == .rented)
        #expect(try await club.openRentals() == [.activated: 1, .rented: 1])
        #expect(try await setting.fixture.balance(ana) == balance)
        #expect(try await club.check().findings.isEmpty)
        // When the clock has been right for an hour, what is over ends.
        setting.fixture.clock.advance(by: Self.day)
        try await club.sweep()
        setting.fixture.clock.advance(by: ClockSteadiness.pause)
        try await club.sweep()
        #expect(try await club.expiringCredits(of: id).isEmpty)
        #expect(try await club.check().findings.isEmpty)
    }

    /// A member rents in the minute in which the clock is wrong.
    @Test func aPaymentInThatMinuteEndsNoGift() async throws {
        let setting = try await Setting()
        let (club, id) = (setting.club, try ClubFixture.id(setting.ana))
        _ = try await club.give(7, .gift, to: id, life: Self.day, key: nil, by: setting.fixture.operatorCaller)
        setting.fixture.clock.set(setting.fixture.clock.time + Self.day * 400)
        _ = try await club.rent("a", key: nil, by: setting.ana)
        setting.fixture.clock.set(setting.fixture.clock.time - Self.day * 400)
        #expect(try await setting.fixture.balance(setting.ana) == 22)
        #expect(try await club.check().findings.isEmpty)
    }

    @Test func aRentalThatIsOverIsRefundedOnce() async throws {
        let setting = try await Setting()
        let (club, ana, fixture) = (setting.club, setting.ana, setting.fixture)
        let rental = try await club.activate(try await club.rent("a", key: nil, by: ana).rental.id, by: ana)
        fixture.clock.advance(by: rental.timeToPlay)
        #expect(try await club.rental(rental.id).endReason(at: club.now) == .expired)
        for _ in 0..<2 {
            let refunded = try await club.refund(rental.id, note: "no sound", by: fixture.operatorCaller)
            #expect(refunded.state(at: club.now) == .refunded && refunded.endReason(at: club.now) == .refunded)
        }
        #expect(try await fixture.balance(ana) == 20)
        // Also one that another rental has replaced.
        let first = try await club.activate(try await club.rent("b", key: nil, by: ana).rental.id, by: ana)
        fixture.clock.advance(by: first.timeToPlay)
        let second = try await club.rent("b", key: nil, by: ana).rental
        _ = try await club.refund(first.id, by: fixture.operatorCaller)
        #expect(try await fixture.balance(ana) == 15)
        #expect(try await club.rental(second.id).state(at: club.now) == .rented)
        #expect(try await club.check().findings.isEmpty)
    }

    @Test func aRentalThatIsOverIsNotRefundedWithItsTitle() async throws {
        let setting = try await Setting()
        let (club, ana, fixture) = (setting.club, setting.ana, setting.fixture)
        let rental = try await club.activate(try await club.rent("a", key: nil, by: ana).rental.id, by: ana)
        fixture.clock.advance(by: rental.timeToPlay)
        try await fixture.catalogue.deleteTitle(id: "a")
        try await club.sweep()
        #expect(try await fixture.balance(ana) == 15)
        #expect(try await club.rental(rental.id).state(at: club.now) == .expired)
    }
}
