import Testing

@testable import Broadcaster

struct BitRateControllerTests {
    /// An uplink that carries a share of the preset's rate, and its backlog.
    private struct Line {
        var capacity: Double
        var wait = 0.0

        mutating func second(_ controller: inout BitRateController) -> Bool {
            wait = max(0, min(3, wait + controller.share - capacity))
            let hasDropped = wait >= 3
            return controller.secondPassed(wait: wait, loss: nil, hasDropped: hasDropped)
        }
    }

    @Test func aGoodLineChangesNothing() {
        var controller = BitRateController()
        var line = Line(capacity: 1.1)
        for _ in 0..<600 { _ = line.second(&controller) }
        #expect(controller.share == 1)
    }

    @Test(arguments: [0.8, 0.6, 0.45, 0.25]) func aSlowLineGetsWhatItCarries(_ capacity: Double) {
        var controller = BitRateController()
        var line = Line(capacity: capacity)
        var lowest = 1.0
        for _ in 0..<20 {
            _ = line.second(&controller)
            lowest = min(lowest, controller.share)
        }
        #expect(lowest <= capacity)
        // Steps up are tried less and less often.
        var tooHighSeconds = 0
        for _ in 0..<600 {
            _ = line.second(&controller)
            if controller.share > capacity { tooHighSeconds += 1 }
        }
        #expect(tooHighSeconds < 100, "\(tooHighSeconds)")
    }

    @Test func aLineThatRecoversGetsThePresetAgain() {
        var controller = BitRateController()
        var line = Line(capacity: 0.25)
        for _ in 0..<60 { _ = line.second(&controller) }
        #expect(controller.share <= 0.25)
        line.capacity = 1.2
        for _ in 0..<300 { _ = line.second(&controller) }
        #expect(controller.share == 1)
    }

    @Test func aMomentIsNoSlowLine() {
        var controller = BitRateController()
        let first = controller.secondPassed(wait: 0.6, loss: 0.01, hasDropped: false)
        let second = controller.secondPassed(wait: 0, loss: nil, hasDropped: false)
        #expect(!first && !second)
        #expect(controller.share == 1)
    }

    @Test func aQueueThatShrinksIsNoReasonToGoLower() {
        var controller = BitRateController()
        _ = controller.secondPassed(wait: 2.5, loss: nil, hasDropped: false)
        let level = controller.level
        for wait in stride(from: 2.4, to: 0.8, by: -0.2) {
            _ = controller.secondPassed(wait: wait, loss: nil, hasDropped: false)
        }
        #expect(level == 1 && controller.level == 1)
        for _ in 0..<3 { _ = controller.secondPassed(wait: 0.9, loss: nil, hasDropped: false) }
        #expect(controller.level == 2, "one that does not shrink is")
    }

    /// After a pulled cable, the rate that did not get through is not the uplink's capacity.
    @Test func aNewConnectionBeginsWithWhatTheOldOneCarried() {
        var controller = BitRateController()
        for _ in 0..<5 { _ = controller.secondPassed(wait: 0, loss: nil, hasDropped: false) }
        for _ in 0..<20 { _ = controller.secondPassed(wait: 3, loss: nil, hasDropped: true) }
        #expect(controller.share == BitRateController.steps.last)
        let hasChanged = controller.reconnected()
        #expect(hasChanged && controller.share == 1)
        for _ in 0..<10 { _ = controller.secondPassed(wait: 3, loss: nil, hasDropped: true) }
        #expect(controller.share < 0.5, "and a line that is slow is found out again")
    }

    @Test func lossIsASlowLine() {
        var controller = BitRateController()
        let hasChanged = controller.secondPassed(wait: 0, loss: 0.1, hasDropped: false)
        #expect(hasChanged)
        #expect(controller.share < 1)
    }

    @Test func thereIsALowestStep() {
        var controller = BitRateController()
        for _ in 0..<100 { _ = controller.secondPassed(wait: 3, loss: 0.5, hasDropped: true) }
        #expect(controller.share == BitRateController.steps.last)
    }

    @Test func delaysGrowToALimit() {
        var delay = ReconnectDelay()
        var generator = SystemRandomNumberGenerator()
        let delays = (0..<20).map { _ in delay.next(using: &generator) / .milliseconds(1) }
        #expect((375...625).contains(delays[0]) && (750...1_250).contains(delays[1]))
        #expect(delays[10...].allSatisfy { (11_250...18_750).contains($0) })
        delay.reset()
        let first = delay.next(using: &generator)
        #expect(first <= .milliseconds(625))
    }
}
