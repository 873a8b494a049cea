import Testing

@testable import Codecs

struct PictureOrderTests {
    /// Returns presentation times for picture order counts in decoding order. Each period starts with a key frame;
    /// there is a frame every 10 ticks.
    private func times(
        _ periods: [[Int32]], delay: Int, decodeTimes: [Int64]? = nil
    ) throws(PictureOrder.Contradiction) -> [Int64] {
        var order = PictureOrder(delay: delay, frameDuration: 10)
        var times: [Int64] = []
        var number = 0
        for counts in periods {
            for (index, count) in counts.enumerated() {
                let place = PictureOrder.Place(count: count, isKeyFrame: index == 0)
                times += try order.accept((place, decodeTimes?[number] ?? Int64(number) * 10))
                number += 1
            }
        }
        return try times + order.accept(nil)
    }

    @Test func picturesAreShownInTheOrderOfTheirCountsAfterTheDelay() throws {
        // I P B B P B B
        #expect(try times([[0, 6, 2, 4, 12, 8, 10]], delay: 1) == [10, 40, 20, 30, 70, 50, 60])
    }

    @Test func noDelayMeansTheOrderOfDecoding() throws {
        #expect(try times([[0, 1, 2, 3]], delay: 0) == [0, 10, 20, 30])
    }

    @Test func countsThatBeginAnewFollowAllBefore() throws {
        #expect(try times([[0, 4, 2], [0], [0, 4, 2]], delay: 1) == [10, 30, 20, 40, 50, 70, 60])
        // A key frame with leading pictures that are decoded after it, as in HEVC.
        #expect(try times([[0, -2, 2], [0, -2, 2]], delay: 1) == [20, 10, 30, 50, 40, 60])
    }

    @Test func aKeyFrameThatCountsOnMayBeOvertaken() throws {
        #expect(try times([[0, 4, 2], [10, 6, 8]], delay: 1) == [10, 30, 20, 60, 40, 50])
    }

    @Test func theFirstPicturesShowTheDelayThatTheStreamConceals() throws {
        // A B pyramid: the middle B frame is decoded before those beside it.
        #expect(try times([[0, 8, 4, 2, 6]], delay: 0) == [20, 60, 40, 30, 50])
    }

    @Test func gapsOfTheDecodeTimesStay() throws {
        #expect(try times([[0, 4, 2, 6]], delay: 1, decodeTimes: [0, 10, 50, 60]) == [10, 60, 50, 70])
    }

    @Test func longStreamsKeepTheirTimesAndHoldLittle() throws {
        var order = PictureOrder(delay: 2, frameDuration: 10)
        var times: [Int64] = []
        for number in 0..<4_000 {
            let offsets: [Int32] = [8, 4, 2, 6]
            let count: Int32 = Int32(number / 4 * 8) + offsets[number % 4]
            times += try order.accept(
                (PictureOrder.Place(count: count, isKeyFrame: number == 0), Int64(number) * 10))
            #expect(number + 1 - times.count <= PictureOrder.maximumHeldPictureCount)
        }
        times += try order.accept(nil)
        let ranks = [3, 1, 0, 2]
        let expected: [Int64] = (0..<4_000).map { number in
            let rank = number / 4 * 4 + ranks[number % 4]
            return Int64(rank + 2) * 10
        }
        #expect(times == expected)
    }

    /// A count that occurs twice, one that comes long after its turn, and one whose turn never comes.
    private static let contradictions: [[Int32]] = [
        [0, 4, 2, 2], [0] + Array(2..<40) + [1], [0, 1_000] + Array(1..<100),
    ]

    @Test(arguments: contradictions)
    func contradictionsAreFound(counts: [Int32]) {
        #expect(throws: PictureOrder.Contradiction()) { try times([counts], delay: 2) }
    }

    /// A frame overtakes more frames than any did at the beginning: it would be presented before it is decoded.
    @Test func aDelayThatGrowsLaterIsAContradiction() {
        let counts: [Int32] = (0..<60).map { $0 * 10 } + [700, 690, 680, 670]
        #expect(throws: PictureOrder.Contradiction()) { try times([counts], delay: 1) }
    }
}
