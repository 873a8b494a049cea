import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import VideoClub

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct CreditsTests {
    @Test func movementsAddUpAndAreListedNewestFirst() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana")
        for amount: Int64 in [20, 5, 1] {
            _ = try await fixture.club.give(
                amount, .topUp, to: try ClubFixture.id(ana), note: "n\(amount)", key: nil, by: fixture.operatorCaller)
        }
        let (balance, first) = try await fixture.club.movements(of: try ClubFixture.id(ana), limit: 2)
        #expect(balance == 26)
        #expect(first.items.map(\.amount) == [1, 5])
        #expect(first.items.map(\.balance) == [26, 25])
        let (_, second) = try await fixture.club.movements(of: try ClubFixture.id(ana), after: first.next, limit: 2)
        #expect(second.items.map(\.note) == ["n20"])
        #expect(second.next == nil)
        #expect(try await fixture.club.check().findings.isEmpty)
    }

    @Test func theSameKeyGivesOnce() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana")
        let (id, caller) = (try ClubFixture.id(ana), fixture.operatorCaller)
        let key = RequestKey("k1", of: "give", by: caller)
        let first = try await fixture.club.give(20, .topUp, to: id, key: key, by: caller)
        #expect(try await fixture.club.give(20, .topUp, to: id, key: key, by: caller) == first)
        #expect(
            await ClubFixture.code { try await fixture.club.give(21, .topUp, to: id, key: key, by: caller) }
                == .keyOfAnotherRequest)
        #expect(try await fixture.balance(ana) == 20)
        // Another sender's key is another one.
        #expect(RequestKey("k1", of: "give", by: ana) != key)
        #expect(RequestKey("k1", of: "rent", by: caller) != key)
    }

    @Test func requestsWithOneKeyAtTheSameTimeGiveOnce() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana")
        let (id, caller) = (try ClubFixture.id(ana), fixture.operatorCaller)
        let key = RequestKey("k1", of: "give", by: caller)
        let movements = try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await fixture.club.give(7, .topUp, to: id, key: key, by: caller).id }
            }
            return try await group.reduce(into: Set<OpaqueID>()) { $0.insert($1) }
        }
        #expect(movements.count == 1)
        #expect(try await fixture.balance(ana) == 7)
    }

    @Test func aMovementIsTakenBackOnceAndNotBelowZero() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana")
        let (id, caller) = (try ClubFixture.id(ana), fixture.operatorCaller)
        let gift = try await fixture.club.give(5, .gift, to: id, key: nil, by: caller)
        let key = RequestKey("k", of: "reverse", by: caller)
        let entry = try await fixture.club.reverse(gift.id, note: "mistake", key: key, by: caller)
        #expect(entry.amount == -5)
        #expect(entry.reverses == gift.id)
        #expect(try await fixture.club.reverse(gift.id, key: key, by: caller) == entry)
        #expect(
            await ClubFixture.code { try await fixture.club.reverse(gift.id, key: nil, by: caller) } == .notReversible)
        #expect(
            await ClubFixture.code { try await fixture.club.reverse(entry.id, key: nil, by: caller) } == .notReversible)
        let topUp = try await fixture.club.give(5, .topUp, to: id, key: nil, by: caller)
        try await fixture.price("a", 3)
        _ = try await fixture.club.rent("a", key: nil, by: ana)
        let refusal = await Refusal.of { try await fixture.club.reverse(topUp.id, key: nil, by: caller) }
        #expect(ClubFixture.lacksCredits(refusal, price: 5, balance: 2))
        #expect(try await fixture.balance(ana) == 2)
        #expect(try await fixture.club.check().findings.isEmpty)
    }

    @Test func aPaymentCountsOnceInWhateverOrderItsMessagesCome() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana")
        let club = fixture.club
        #expect(await ClubFixture.code { try await club.takeBackPayment(reference: "pi_1") } == .notReversible)
        let paid = try await club.pay(20, to: "ana", reference: "pi_1")
        #expect(try await club.pay(20, to: "ana", reference: "pi_1") == paid)
        #expect(await ClubFixture.code { try await club.pay(21, to: "ana", reference: "pi_1") } == .keyOfAnotherRequest)
        #expect(await ClubFixture.code { try await club.pay(20, to: "nobody", reference: "pi_2") } == .notFound)
        let back = try await club.takeBackPayment(reference: "pi_1")
        #expect(try await club.takeBackPayment(reference: "pi_1") == back)
        // A message that is late does not give the credits again.
        #expect(try await club.pay(20, to: "ana", reference: "pi_1") == paid)
        #expect(try await fixture.balance(ana) == 0)
        #expect(try await club.check().findings.isEmpty)
    }

    @Test(arguments: [0, -1, Int64.min, Int64.max, CreditMovement.maximumAmount + 1])
    func amountsOutsideTheLimitsAreRefused(amount: Int64) async throws {
        let fixture = try await ClubFixture()
        let id = try ClubFixture.id(try await fixture.member("ana"))
        #expect(
            await ClubFixture.code {
                try await fixture.club.give(amount, .topUp, to: id, key: nil, by: fixture.operatorCaller)
            } == .invalidField)
        #expect(try await fixture.club.check().movementCount == 0)
    }

    // MARK: Gifts that end

    private func gift(
        _ fixture: ClubFixture, _ amount: Int64, to caller: Caller, days: Int64
    ) async throws -> CreditMovement {
        try await fixture.club.give(
            amount, .gift, to: try ClubFixture.id(caller), life: .seconds(days * 86_400), key: nil,
            by: fixture.operatorCaller)
    }

    @Test func aGiftEndsAsFarAsItWasNotSpent() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 10)
        try await fixture.price("a", 4)
        let later = try await gift(fixture, 3, to: ana, days: 90)
        _ = try await gift(fixture, 2, to: ana, days: 30)
        let id = try ClubFixture.id(ana)
        #expect(later.expiresAt == fixture.club.now + .seconds(90 * 86_400))
        #expect(try await fixture.club.expiringCredits(of: id).map(\.amount) == [2, 3])
        _ = try await fixture.club.rent("a", key: nil, by: ana)
        // The two that end first, then two of the three.
        #expect(try await fixture.club.expiringCredits(of: id).map(\.amount) == [1])
        fixture.clock.advance(by: .seconds(90 * 86_400 - 1))
        try await fixture.club.sweep()
        #expect(try await fixture.balance(ana) == 11)
        fixture.clock.advance(by: .seconds(1))
        for _ in 0..<2 { try await fixture.club.sweep() }
        #expect(try await fixture.balance(ana) == 10)
        let last = try #require(try await fixture.club.movements(of: id, limit: 1).page.items.first)
        #expect(last.reason == .expired && last.amount == -1)
        #expect(try await fixture.club.expiringCredits(of: id).isEmpty)
        #expect(try await fixture.club.check().findings == [])
    }

    @Test func whatHasEndedPaysNothingBeforeTheSweep() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 3)
        try await fixture.price("a", 4)
        _ = try await gift(fixture, 2, to: ana, days: 1)
        fixture.clock.advance(by: .seconds(86_400))
        let refusal = await Refusal.of { try await fixture.club.rent("a", key: nil, by: ana) }
        #expect(ClubFixture.lacksCredits(refusal, price: 4, balance: 3))
        try await fixture.price("b", 3)
        #expect(try await fixture.club.rent("b", key: nil, by: ana).balance == 0)
        #expect(try await fixture.club.check().findings == [])
    }

    /// The credits come back with the end that they had, and at least a week; those without an end have none.
    @Test(
        arguments: [(30, 29 * 86_400), (3, ExpiringCredits.minimumLifeAfterRefund.components.seconds)]
            as [(Int64, Int64)])
    func aRefundGivesGiftsBackWithTheirEnd(days: Int64, secondsAfterRefund: Int64) async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 1)
        try await fixture.price("a", 5)
        _ = try await gift(fixture, 4, to: ana, days: days)
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        fixture.clock.advance(by: .seconds(86_400))
        _ = try await fixture.club.refund(rental.id, by: fixture.operatorCaller)
        let expiring = try await fixture.club.expiringCredits(of: try ClubFixture.id(ana))
        #expect(
            expiring == [ExpiringCredits(amount: 4, expiresAt: fixture.club.now + .seconds(secondsAfterRefund))])
        #expect(try await fixture.balance(ana) == 5)
        fixture.clock.advance(by: .seconds(secondsAfterRefund))
        try await fixture.club.sweep()
        #expect(try await fixture.balance(ana) == 1)
        #expect(try await fixture.club.check().findings == [])
    }

    @Test func aGiftIsTakenBackAsFarAsItHasNotEnded() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 10)
        try await fixture.price("a", 2)
        let (first, second) = (
            try await gift(fixture, 5, to: ana, days: 1), try await gift(fixture, 4, to: ana, days: 9)
        )
        _ = try await fixture.club.rent("a", key: nil, by: ana)
        fixture.clock.advance(by: .seconds(86_400))
        // Two were spent and three have ended; the two come from what has no end.
        let entry = try await fixture.club.reverse(first.id, key: nil, by: fixture.operatorCaller)
        #expect(entry.amount == -2 && entry.balance == 12)
        #expect(try await fixture.club.expiringCredits(of: try ClubFixture.id(ana)).map(\.amount) == [4])
        fixture.clock.advance(by: .seconds(8 * 86_400))
        #expect(
            await ClubFixture.code {
                try await fixture.club.reverse(second.id, key: nil, by: fixture.operatorCaller)
            } == .notReversible)
        #expect(try await fixture.club.check().findings == [])
    }

    @Test func onlyGiftsEndAndTheSameKeyMeansTheSameEnd() async throws {
        let fixture = try await ClubFixture()
        let id = try ClubFixture.id(try await fixture.member("ana"))
        let caller = fixture.operatorCaller
        let key = RequestKey("k", of: "give", by: caller)
        func give(_ reason: CreditReason, _ life: Duration?) async -> Refusal.Code? {
            await ClubFixture.code {
                try await fixture.club.give(3, reason, to: id, life: life, key: key, by: caller)
            }
        }
        #expect(await give(.topUp, .seconds(86_400)) == .invalidField)
        #expect(await give(.expired, nil) == .invalidField)
        #expect(await give(.gift, .seconds(59)) == .invalidField)
        #expect(await give(.gift, .seconds(86_400)) == nil)
        fixture.clock.advance(by: .seconds(60))
        #expect(await give(.gift, .seconds(86_400)) == nil)
        #expect(await give(.gift, .seconds(86_401)) == .keyOfAnotherRequest)
        #expect(await give(.gift, nil) == .keyOfAnotherRequest)
        #expect(try await fixture.club.balance(of: id) == 3)
    }

    /// Sweeps of two servers, rentals and refunds at the same time as the end of a gift.
    @Test func whatEndsWhileItIsSpentCountsOnce() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 6)
        let other = try await fixture.other()
        for title in ["a", "b", "c"] { try await fixture.price(title, 4) }
        for days: Int64 in 1...3 { _ = try await gift(fixture, 4, to: ana, days: days) }
        let rental = try await fixture.club.rent("c", key: nil, by: ana).rental
        fixture.clock.advance(by: .seconds(2 * 86_400))
        try await withThrowingTaskGroup { group in
            for title in ["a", "b"] {
                for club in [fixture.club, other] {
                    group.addTask { _ = try? await club.rent(title, key: nil, by: ana) }
                }
            }
            for club in [fixture.club, other] {
                group.addTask { try await club.sweep() }
                group.addTask { _ = try await club.refund(rental.id, by: fixture.operatorCaller) }
            }
            try await group.waitForAll()
        }
        try await fixture.club.sweep()
        #expect(try await fixture.club.check().findings == [])
        // Six without an end, the gift of the third day, and the refund's four are fourteen, of which two titles cost
        // eight.
        #expect(try await fixture.balance(ana) == 6)
    }

    /// Each rule of the check finds what breaks it.
    @Test(arguments: [
        "UPDATE creditLot SET remaining = remaining - 1",
        "UPDATE creditLotUse SET amount = amount + 1",
        "UPDATE creditLot SET amount = 100, remaining = 98",
        "DELETE FROM creditLotUse",
        "UPDATE creditLine SET amount = amount + 1 WHERE position = 1",
        "UPDATE creditLine SET balance = balance + 1 WHERE position = 1",
        "UPDATE creditAccount SET lineCount = lineCount + 1",
        "DELETE FROM creditLine WHERE position = 2",
        "UPDATE rental SET price = price + 1",
        "UPDATE rental SET endReason = 'refunded', endedAt = 1",
    ])
    func theCheckFindsWhatDisagrees(change: String) async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 20)
        try await fixture.price("a", 3)
        _ = try await gift(fixture, 4, to: ana, days: 1)
        _ = try await fixture.club.rent("a", key: nil, by: ana)
        #expect(try await fixture.club.check().findings.isEmpty)
        try await fixture.database.write { db in _ = try db.execute(change) }
        #expect(try await !fixture.club.check().findings.isEmpty)
    }

    @Test func theDatabaseRefusesAnOverdraft() async throws {
        let fixture = try await ClubFixture()
        _ = try await fixture.member("ana", credits: 20)
        await #expect(throws: SQLError.self) {
            try await fixture.database.write { db in
                try db.execute("UPDATE creditLine SET balance = -1 WHERE position = 1")
            }
        }
    }
}
