import Testing

@testable import Scoreboard

struct FirstServeDrawTests {
    @Test(arguments: [
        ("0000000000000000", MatchSide.a), ("0000000000000001", .b), ("000000000000000f", .b),
        ("1000000000000001", .a), ("ffffffffffffffff", .a), ("5f0c9a1b77e2d340", .b), ("5f0c9a1b77e2d341", .a),
    ])
    func theDigitsOfTheSeedSayWhoServes(seed: String, side: MatchSide) throws {
        #expect(try #require(FirstServeDraw(seed: seed)).side == side)
    }

    @Test(arguments: ["", "5f0c", "5F0C9A1B77E2D340", "5f0c9a1b77e2d34g", "5f0c9a1b77e2d3400", "５f0c9a1b77e2d3"])
    func whatIsNoSeedIsRefused(seed: String) { #expect(FirstServeDraw(seed: seed) == nil) }

    @Test func bothSidesAreDrawnAndCanBeDrawnAgain() throws {
        var counts: [MatchSide: Int] = [:]
        for _ in 0..<1_000 {
            let draw = FirstServeDraw.random()
            #expect(FirstServeDraw(seed: draw.seed) == draw)
            counts[draw.side, default: 0] += 1
        }
        // Ten standard deviations.
        #expect(counts[.a, default: 0] > 340 && counts[.b, default: 0] > 340)
    }
}
