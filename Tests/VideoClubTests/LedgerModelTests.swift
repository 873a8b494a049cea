import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import VideoClub

/// Random sequences of operations, against a plain model in memory.
@Suite(.eachEngine, .timeLimit(.minutes(5)))
struct LedgerModelTests {
    /// A member's credits and rentals.
    private struct Model {
        /// Credits without an end.
        var lasting: Int64 = 0
        /// One element for each credit that ends, the soonest first.
        var ending: [WallClockTime] = []
        /// Prices and ends by title; an end is `nil` before the activation.
        var held: [String: (id: OpaqueID, paid: [WallClockTime], price: Int64, end: WallClockTime?)] = [:]

        var balance: Int64 { lasting + Int64(ending.count) }

        mutating func expire(at now: WallClockTime) { ending.removeAll { $0 <= now } }

        /// - Returns: the ends of the credits that were paid with and have one.
        mutating func pay(_ price: Int64) -> [WallClockTime] {
            let paid = Array(ending.prefix(Int(price)))
            ending.removeFirst(paid.count)
            lasting -= price - Int64(paid.count)
            return paid
        }

        mutating func give(_ ends: [WallClockTime]) { ending = (ending + ends).sorted() }
    }

    private static let titles = ["a", "b", "c"]
    private static let prices: [String: Int64] = ["a": 1, "b": 3, "c": 8]

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anySequenceOfOperationsAgreesWithTheModel(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try await ClubFixture()
        let club = fixture.club
        for (title, price) in Self.prices { try await fixture.price(title, price) }
        let members = [try await fixture.member("ana"), try await fixture.member("eva")]
        var models = [Model(), Model()]
        for step in 0..<200 {
            let who = Int.random(in: 0...1, using: &random)
            let (caller, title) = (members[who], Self.titles.randomElement(using: &random) ?? "a")
            let key = RequestKey("step \(step)", of: "step", by: caller)
            let repetitions = Int.random(in: 1...2, using: &random)
            switch Int.random(in: 0..<11, using: &random) {
            case 0...2:
                let amount = Int64.random(in: 1...6, using: &random)
                let days = Bool.random(using: &random) ? Int64.random(in: 1...12, using: &random) : nil
                for _ in 0..<repetitions {
                    _ = try await club.give(
                        amount, days == nil ? .topUp : .gift, to: try ClubFixture.id(caller),
                        life: days.map { .seconds($0 * 86_400) }, key: key, by: fixture.operatorCaller)
                }
                if let days {
                    let end = club.now + .seconds(days * 86_400)
                    models[who].give(Array(repeating: end, count: Int(amount)))
                } else {
                    models[who].lasting += amount
                }
            case 3...6:
                let price = try #require(Self.prices[title])
                for repetition in 0..<repetitions {
                    let outcome = try? await club.rent(title, key: key, by: caller)
                    if repetition > 0 { continue }
                    let mayRent = models[who].held[title] == nil && models[who].balance >= price
                    #expect((outcome != nil) == mayRent, "step \(step)")
                    guard let outcome else { continue }
                    models[who].held[title] = (outcome.rental.id, models[who].pay(price), price, nil)
                    #expect(outcome.balance == models[who].balance, "step \(step)")
                }
            case 7:
                guard let held = models[who].held[title] else { continue }
                let rental = try await club.activate(held.id, by: caller)
                models[who].held[title]?.end = rental.endsAt
            case 8:
                guard let held = models[who].held[title] else { continue }
                for _ in 0..<repetitions { _ = try await club.refund(held.id, by: fixture.operatorCaller) }
                let soonest = club.now + ExpiringCredits.minimumLifeAfterRefund
                models[who].give(held.paid.map { max($0, soonest) })
                models[who].lasting += held.price - Int64(held.paid.count)
                models[who].held[title] = nil
            default:
                fixture.clock.advance(by: .seconds(20 * 3_600))
                if repetitions > 1 { try await club.sweep() }
                for index in models.indices {
                    models[index].expire(at: club.now)
                    models[index].held = models[index].held.filter { $0.value.end.map { $0 > club.now } ?? true }
                }
            }
        }
        try await club.sweep()
        for (caller, model) in zip(members, models) {
            #expect(try await fixture.balance(caller) == model.balance)
            let expiring = try await club.expiringCredits(of: try ClubFixture.id(caller))
            let ends = Dictionary(grouping: model.ending, by: \.self).mapValues { Int64($0.count) }
            #expect(
                expiring
                    == ends.map { .init(amount: $0.value, expiresAt: $0.key) }
                    .sorted { $0.expiresAt < $1.expiresAt })
            for title in Self.titles {
                let standing = try await club.standing(of: try ClubFixture.id(caller), title: title)
                switch (standing, model.held[title]) {
                case (.waiting(let rental), let held?): #expect(rental.id == held.id && held.end == nil)
                case (.active(let rental), let held?): #expect(rental.endsAt == held.end)
                case (.neverRented, nil), (.over, nil): break
                default:
                    Issue.record("\(title): \(standing), and the model has \(String(describing: model.held[title]))")
                }
            }
        }
        let report = try await club.check()
        #expect(report.findings == [])
        #expect(report.memberTotal == models.reduce(0) { $0 + $1.balance })
    }
}
