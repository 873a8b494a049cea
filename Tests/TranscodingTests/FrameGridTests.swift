import CLibAV
import LibAV
import Testing

@testable import Transcoding

struct FrameGridTests {
    init() throws { try LibAVRuntime.load() }

    @Test func makesMillisecondsExact() {
        var grid = FrameGrid(source: AVRational(num: 1, den: 1000), frameRate: AVRational(num: 30000, den: 1001))
        let times = [0, 33, 67, 100, 133, 167].map { grid.time(of: $0) }
        #expect(times == [0, 1, 2, 3, 4, 5].map { $0 * grid.frameDuration })
        #expect(grid.frameDuration == 1001)
        #expect(grid.timeBase.den == 30000)
    }

    @Test func keepsTimesOffTheGrid() {
        var grid = FrameGrid(source: AVRational(num: 1, den: 1000), frameRate: AVRational(num: 25, den: 1))
        let times = [0, 40, 57, 120].map { grid.time(of: $0) }
        #expect(grid.timeBase.den == 10_000)
        #expect(times == [0, 400, 570, 1200])
    }

    @Test func bearsWithAnyTime() {
        for first in [Int64.min, -1, .max] {
            var grid = FrameGrid(source: AVRational(num: 1, den: 1000), frameRate: AVRational(num: 25, den: 1))
            for time in [first, .max, .min, 0] { _ = grid.time(of: time) }
            #expect(grid.frameDuration == 400)
        }
    }

    @Test(arguments: [AVRational(num: 0, den: 1), AVRational(num: 90_000, den: 1), AVRational(num: 1, den: 7)])
    func doesWithoutAUsableFrameRate(rate: AVRational) {
        var grid = FrameGrid(source: AVRational(num: 1, den: 1000), frameRate: rate.den == 0 ? nil : rate)
        #expect(grid.time(of: 1000) == 90_000)
    }
}
