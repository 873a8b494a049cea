import MediaCore
import Synchronization
import TestSupport
import Testing

struct ClockSteadinessTests {
    private final class Steps: Sendable {
        let amounts = Mutex([Duration]())
    }

    private let clock = TestClock()
    private let steps = Steps()

    private func watch(lastSeen: WallClockTime? = nil) -> ClockSteadiness {
        ClockSteadiness(
            wallClock: clock.wallClock, elapsed: { [clock] in clock.elapsed }, lastSeen: lastSeen
        ) { [steps] step in steps.amounts.withLock { $0.append(step.amount) } }
    }

    private static let day = Duration.seconds(86_400)

    @Test(arguments: [day, day * 365, .zero - day, .zero - day * 365, ClockSteadiness.tolerance + .seconds(1)])
    func aStepPausesForAnHourAfterTheLastOne(_ step: Duration) {
        let watch = watch()
        clock.advance(by: .seconds(60))
        #expect(watch.isSteady())
        clock.set(clock.time + step)
        #expect(!watch.isSteady())
        clock.advance(by: .seconds(60))
        #expect(!watch.isSteady())
        // Back again: another step.
        clock.set(clock.time - step)
        #expect(!watch.isSteady())
        #expect(steps.amounts.withLock { $0 } == [step, .zero - step])
        clock.advance(by: ClockSteadiness.pause - .seconds(1))
        #expect(!watch.isSteady())
        clock.advance(by: .seconds(1))
        #expect(watch.isSteady())
    }

    @Test func correctionsOfATimeServiceAndLongIntervalsAreNoSteps() {
        let watch = watch()
        for correction in [ClockSteadiness.tolerance, .zero - ClockSteadiness.tolerance, .milliseconds(500)] {
            clock.advance(by: .seconds(86_400 * 40))
            clock.set(clock.time + correction)
            #expect(watch.isSteady())
        }
        #expect(steps.amounts.withLock { $0 }.isEmpty)
    }

    @Test func aServerThatStartsInAnotherYearWaits() {
        #expect(watch(lastSeen: clock.time - .seconds(3_600)).isSteady())
        #expect(watch(lastSeen: clock.time).isSteady())
        #expect(steps.amounts.withLock { $0 }.isEmpty)
        for lastSeen in [clock.time - Self.day * 400, clock.time + Self.day] {
            let watch = watch(lastSeen: lastSeen)
            #expect(!watch.isSteady())
            clock.advance(by: ClockSteadiness.pause)
            #expect(watch.isSteady())
        }
    }

    @Test func anAssumedClockIsAlwaysSteady() { #expect(ClockSteadiness.assumed.isSteady()) }
}
