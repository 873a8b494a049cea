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
    /// What a member has and holds.
    private struct Model {
        var balance: Int64 = 0
        /// Prices and ends by title; an end is `nil` before the activation.
        var held: [String: (id: OpaqueID, price: Int64, end: WallClockTime?)] = [:]
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
        for step in 0..<150 {
            let who = Int.random(in: 0...1, using: &random)
            let (caller, title) = (members[who], Self.titles.randomElement(using: &random) ?? "a")
            let key = RequestKey("step \(step)", of: "step", by: caller)
            let repetitions = Int.random(in: 1...2, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                let amount = Int64.random(in: 1...6, using: &random)
                for _ in 0..<repetitions {
                    _ = try await club.give(
                        amount, .topUp, to: try ClubFixture.id(caller), key: key, by: fixture.operatorCaller)
                }
                models[who].balance += amount
            case 3...6:
                let price = try #require(Self.prices[title])
                for repetition in 0..<repetitions {
                    let outcome = try? await club.rent(title, key: key, by: caller)
                    if repetition > 0 { continue }
                    let mayRent = models[who].held[title] == nil && models[who].balance >= price
                    #expect((outcome != nil) == mayRent, "step \(step)")
                    guard let outcome else { continue }
                    models[who].balance -= price
                    models[who].held[title] = (outcome.rental.id, price, nil)
                }
            case 7:
                guard let held = models[who].held[title] else { continue }
                let rental = try await club.activate(held.id, by: caller)
                models[who].held[title]?.end = rental.endsAt
            case 8:
                guard let held = models[who].held[title] else { continue }
                for _ in 0..<repetitions { _ = try await club.refund(held.id, by: fixture.operatorCaller) }
                models[who].balance += held.price
                models[who].held[title] = nil
            default:
                fixture.clock.advance(by: .seconds(20 * 3_600))
                if repetitions > 1 { try await club.sweep() }
                for index in models.indices {
                    models[index].held = models[index].held.filter { $0.value.end.map { $0 > club.now } ?? true }
                }
            }
        }
        for (caller, model) in zip(members, models) {
            #expect(try await fixture.balance(caller) == model.balance)
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
        #expect(report.findings.isEmpty)
        #expect(report.memberTotal == models.reduce(0) { $0 + $1.balance })
    }
}
