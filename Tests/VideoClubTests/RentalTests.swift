import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import VideoClub

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct RentalTests {
    @Test func aRentalCostsItsPriceAndBeginsWithItsActivation() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 5)
        try await fixture.price("a", 5)
        let id = try ClubFixture.id(ana)
        #expect(try await fixture.club.standing(of: id, title: "a") == .neverRented)
        let outcome = try await fixture.club.rent("a", key: nil, by: ana)
        #expect(outcome.balance == 0)
        #expect(outcome.rental.titleName == "film a")
        fixture.clock.advance(by: .seconds(400 * 86_400))
        #expect(outcome.rental.state(at: fixture.club.now) == .rented)
        let active = try await fixture.club.activate(outcome.rental.id, by: ana)
        #expect(active.endsAt == fixture.club.now + .seconds(48 * 3_600))
        fixture.clock.advance(by: .seconds(3_600))
        // The time does not begin again.
        #expect(try await fixture.club.activate(outcome.rental.id, by: ana).endsAt == active.endsAt)
        #expect(try await fixture.club.standing(of: id, title: "a") == .active(active))
        fixture.clock.advance(by: .seconds(47 * 3_600))
        guard case .over = try await fixture.club.standing(of: id, title: "a") else {
            Issue.record("not over")
            return
        }
        #expect(
            await ClubFixture.code { try await fixture.club.activate(outcome.rental.id, by: ana) } == .rentalEnded)
    }

    @Test func withoutEnoughCreditsNothingChanges() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 4)
        try await fixture.price("a", 5)
        let refusal = await Refusal.of { try await fixture.club.rent("a", key: nil, by: ana) }
        #expect(ClubFixture.lacksCredits(refusal, price: 5, balance: 4))
        #expect(try await fixture.balance(ana) == 4)
        #expect(try await fixture.club.rentals(of: try ClubFixture.id(ana)).items.isEmpty)
        #expect(try await fixture.club.check().movementCount == 1)
    }

    @Test func whoLacksCreditsIsToldWhereTheyAreSold() async throws {
        var settings = ClubSettings()
        settings.purchase = CreditPurchase(
            address: "https://shop.example/?for={name}&again={name}", texts: ["es": "En recepción.", "fr": "?"])
        let fixture = try await ClubFixture(settings)
        let ana = try await fixture.member("ana.b")
        try await fixture.price("a", 5)
        do {
            _ = try await fixture.club.rent("a", key: nil, by: ana)
            Issue.record("rented without credits")
        } catch let error as Refusal {
            #expect(error.facts["purchaseAddress"] == .text("https://shop.example/?for=ana.b&again=ana.b"))
            #expect(error.reason.hasSuffix("; credits are sold at https://shop.example/?for=ana.b&again=ana.b"))
        }
        #expect(settings.purchase.address(for: "ñ/&") == "https://shop.example/?for=%C3%B1%2F%26&again=%C3%B1%2F%26")
        #expect(settings.purchase.text("es") == "En recepción." && settings.purchase.text("en") == "En recepción.")
        #expect(CreditPurchase().address(for: "ana") == nil && CreditPurchase().text("es") == nil)
    }

    @Test func theSameKeyRentsOnceAndAHeldTitleIsNotRentedAgain() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 20)
        for title in ["a", "b"] { try await fixture.price(title, 5) }
        let key = RequestKey("k", of: "rent", by: ana)
        let first = try await fixture.club.rent("a", key: key, by: ana)
        let again = try await fixture.club.rent("a", key: key, by: ana)
        #expect(again.rental == first.rental)
        #expect(first.isNew && !again.isNew)
        #expect(
            await ClubFixture.code { try await fixture.club.rent("b", key: key, by: ana) } == .keyOfAnotherRequest)
        let refusal = await Refusal.of { try await fixture.club.rent("a", key: nil, by: ana) }
        #expect(refusal?.code == .alreadyRented && refusal?.facts == ["rental": .text(first.rental.id.text)])
        #expect(try await fixture.balance(ana) == 15)
    }

    @Test func parallelRentsOfOneTitleAreOneRental() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 100)
        try await fixture.price("a", 5)
        let count = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.requestCount {
                group.addTask {
                    while true {
                        do {
                            _ = try await fixture.club.rent("a", key: nil, by: ana)
                            return 1
                        } catch let error as SQLError where error.isTemporary {
                            continue
                        } catch { return 0 }
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(count == 1)
        #expect(try await fixture.balance(ana) == 95)
        #expect(try await fixture.club.check().findings.isEmpty)
    }

    /// Requests at the same time.
    private static let requestCount = 1_000

    /// Of many members with credits for one, and of many titles with credits for seven, each gets what the credits pay.
    @Test func parallelRentsPayForAsManyAsThereAreCreditsFor() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 7 * 5 + 4)
        let titles = (0..<Self.requestCount).map { "t\($0)" }
        for title in titles { try await fixture.add(title) }
        // At once: a change of terms reads all terms again.
        try await fixture.database.write { db in
            _ = try db.execute(
                """
                INSERT INTO titleTerms(titleNumber, price, needsRental, revision) SELECT number, 5, 0, 1 FROM title
                """)
        }
        let outcomes = await withTaskGroup(of: Refusal??.self) { group in
            for title in titles {
                group.addTask {
                    // So many requests at the same time wait longer than a call may: the client tries again, as after
                    // 503.
                    while true {
                        do {
                            _ = try await fixture.club.rent(title, key: nil, by: ana)
                            return .some(nil)
                        } catch let error as SQLError where error.isTemporary {
                            continue
                        } catch { return (error as? Refusal).map { .some($0) } ?? nil }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .some(nil) } == 7)
        let refused = outcomes.count { ClubFixture.lacksCredits($0 ?? nil, price: 5, balance: 4) }
        #expect(refused == titles.count - 7)
        #expect(try await fixture.balance(ana) == 4)
        #expect(try await fixture.club.check().findings.isEmpty)
    }

    @Test func whatIsNotStartedInTimeExpiresAndCanBeRentedAgain() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 20)
        try await fixture.price("a", 5) { $0.timeToStart = .seconds(3_600) }
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        fixture.clock.advance(by: .seconds(3_600))
        #expect(rental.state(at: fixture.club.now) == .expired)
        // Nobody has swept it up yet.
        let next = try await fixture.club.rent("a", key: nil, by: ana).rental
        #expect(next.id != rental.id)
        #expect(try await fixture.club.rental(rental.id).endReason == .expired)
        #expect(try await fixture.balance(ana) == 10)
    }

    @Test func termsOfARentalStayWhenThoseOfItsTitleChange() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 20)
        try await fixture.price("a", 5) { $0.timeToPlay = .seconds(7_200) }
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        try await fixture.price("a", 9) { $0.timeToPlay = .seconds(60) }
        let active = try await fixture.club.activate(rental.id, by: ana)
        #expect(active.endsAt == fixture.club.now + .seconds(7_200))
        #expect(active.price == 5)
    }

    @Test func rentalsThatAreAboutToEndAreFound() async throws {
        let fixture = try await ClubFixture()
        let (ana, eva) = (try await fixture.member("ana", credits: 9), try await fixture.member("eva", credits: 9))
        try await fixture.price("a", 1)
        try await fixture.price("b", 1) { $0.timeToPlay = .seconds(7_200) }
        for (title, caller) in [("a", ana), ("b", ana), ("b", eva), ("c", eva)] {
            if title == "c" { try await fixture.price("c", 1) }
            let rental = try await fixture.club.rent(title, key: nil, by: caller).rental
            // One that waits has no end yet.
            if title != "c" { _ = try await fixture.club.activate(rental.id, by: caller) }
        }
        func ending() async throws -> [String] {
            var (found, last): ([String], Rental?) = ([], nil)
            repeat {
                let page = try await fixture.club.rentals(endingWithin: .seconds(3 * 3_600), after: last, limit: 1)
                found += page.map(\.titleID)
                last = page.last
            } while last != nil
            return found
        }
        #expect(try await ending() == [], "of two hours, a quarter has to be left")
        fixture.clock.advance(by: .seconds(5_400))
        #expect(try await ending() == ["b", "b"])
        fixture.clock.advance(by: .seconds(44 * 3_600))
        #expect(try await ending() == ["a"])
        fixture.clock.advance(by: .seconds(3 * 3_600))
        #expect(try await ending() == [])
    }

    @Test func aRefundGivesBackOnceAndEndsTheRentalEverywhere() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 5)
        try await fixture.price("a", 5)
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        _ = try await fixture.club.activate(rental.id, by: ana)
        let other = try await fixture.other()
        for _ in 0..<2 {
            let refunded = try await fixture.club.refund(rental.id, by: fixture.operatorCaller)
            #expect(refunded.state(at: fixture.club.now) == .refunded)
        }
        #expect(try await fixture.balance(ana) == 5)
        #expect(fixture.club.entitlements.isEndedEarly(rental: rental.id.text))
        try await other.refresh()
        #expect(other.entitlements.isEndedEarly(rental: rental.id.text))
        #expect(try await fixture.club.check().findings.isEmpty)
    }

    @Test func rentalsOfADeletedTitleAreRefundedAndKept() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 10)
        let id = try ClubFixture.id(ana)
        for title in ["a", "b"] { try await fixture.price(title, 5) }
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        _ = try await fixture.club.rent("b", key: nil, by: ana)
        try await fixture.catalogue.deleteTitle(id: "a")
        try await fixture.club.sweep()
        try await fixture.club.sweep()
        #expect(try await fixture.balance(ana) == 5)
        #expect(try await fixture.club.rentals(of: id).items.map(\.titleName) == ["film b", "film a"])
        #expect(try await fixture.club.rental(rental.id).endReason == .titleRemoved)
        // Another title with the same address has nothing of it.
        try await fixture.add("a")
        #expect(try await fixture.club.terms(of: "a") == TitleTerms())
        #expect(try await fixture.club.standing(of: id, title: "a") == .neverRented)
        #expect(try await fixture.club.check().findings.isEmpty)
    }

    @Test func theRentalOfADeletedAccountEndsAndTheLedgerStays() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana", credits: 10)
        try await fixture.price("a", 5)
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        _ = try await fixture.club.activate(rental.id, by: ana)
        try await fixture.database.write { db in
            _ = try db.execute("DELETE FROM account WHERE id = ?1", .text(try ClubFixture.id(ana).text))
        }
        try await fixture.club.refresh()
        #expect(fixture.club.entitlements.isEndedEarly(rental: rental.id.text))
        try await fixture.club.sweep()
        let report = try await fixture.club.check()
        #expect(report.findings.isEmpty)
        #expect(report.movementCount == 2)
    }

    @Test func freeTitlesNeedARentalOnlyIfTheOperatorWantsOne() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana")
        #expect(await ClubFixture.code { try await fixture.club.rent("a", key: nil, by: ana) } == .rentalNotNeeded)
        try await fixture.price("a", 0) { $0.asksForFreeRental = true }
        #expect(fixture.club.entitlements.needsRental(titleID: "a"))
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        #expect(rental.price == 0)
        #expect(
            try await fixture.club.check()
                == LedgerReport(
                    movementCount: 0, lineCount: 0, accountCount: 0, memberTotal: 0, findings: []))
    }

    @Test func somebodyElsesRentalIsNotThere() async throws {
        let fixture = try await ClubFixture()
        let (ana, eva) = (try await fixture.member("ana", credits: 5), try await fixture.member("eva"))
        try await fixture.price("a", 5)
        let rental = try await fixture.club.rent("a", key: nil, by: ana).rental
        #expect(await ClubFixture.code { try await fixture.club.activate(rental.id, by: eva) } == .notFound)
        #expect(
            await ClubFixture.code { try await fixture.club.rent("a", key: nil, by: fixture.operatorCaller) }
                == .loginNeeded)
    }
}
