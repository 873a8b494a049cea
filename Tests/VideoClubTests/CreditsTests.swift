import Accounts
import Database
import DatabaseTestSupport
import MediaCore
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
        #expect(
            await ClubFixture.code { try await fixture.club.reverse(topUp.id, key: nil, by: caller) }
                == .notEnoughCredits(price: 5, balance: 2))
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

    /// Each rule of the check finds what breaks it.
    @Test(arguments: [
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
