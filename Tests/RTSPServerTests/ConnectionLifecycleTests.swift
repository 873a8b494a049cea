import NIOCore
import Testing

@testable import RTSPServer

struct ConnectionLifecycleTests {
    static let start = NIODeadline.uptimeNanoseconds(0)

    static func lifecycle() -> ConnectionLifecycle {
        var limits = RTSPServerLimits()
        limits.receiverReportInterval = .seconds(5)
        limits.lingerTime = .seconds(1)
        return ConnectionLifecycle(limits: limits)
    }

    @Test func followsTheDeadlineOfTheSessionUntilSomethingIsRecorded() {
        var lifecycle = Self.lifecycle()
        #expect(lifecycle.deadline(session: Self.start + .seconds(60)) == Self.start + .seconds(60))
        lifecycle.recordingStarted(now: Self.start)
        #expect(lifecycle.deadline(session: Self.start + .seconds(60)) == Self.start + .seconds(5))
        #expect(lifecycle.deadline(session: Self.start + .seconds(2)) == Self.start + .seconds(2))
        #expect(lifecycle.deadline(session: nil) == Self.start + .seconds(5))
        let endings = [lifecycle.recordingEnded(), lifecycle.recordingEnded()]
        #expect(endings == [true, false] && lifecycle.isOpen)
        #expect(lifecycle.deadline(session: Self.start + .seconds(60)) == Self.start + .seconds(60))
    }

    @Test func reportsAreDueAtIntervalsWhileSomethingIsRecorded() {
        var lifecycle = Self.lifecycle()
        let early = lifecycle.takeDueReport(now: Self.start + .hours(1))
        #expect(!early)
        lifecycle.recordingStarted(now: Self.start)
        let action = lifecycle.timerFired(now: Self.start + .seconds(4))
        #expect(action == .checkSession)
        let due = [4, 6, 6].map { lifecycle.takeDueReport(now: Self.start + .seconds($0)) }
        #expect(due == [false, true, false])
        #expect(lifecycle.deadline(session: nil) == Self.start + .seconds(11))
    }

    @Test func endsOnceAndSaysWhetherItRecorded() {
        var lifecycle = Self.lifecycle()
        lifecycle.recordingStarted(now: Self.start)
        let endings = [lifecycle.close(), lifecycle.close()]
        #expect(endings == [ConnectionLifecycle.Ending(wasRecording: true), nil] && !lifecycle.isOpen)
        #expect(lifecycle.deadline(session: Self.start) == nil)
        let action = lifecycle.timerFired(now: Self.start + .hours(1))
        lifecycle.recordingStarted(now: Self.start)
        let isDue = lifecycle.takeDueReport(now: Self.start + .hours(1))
        #expect(action == .none && !isDue)
    }

    @Test func lingersForAWhileAfterTheEnd() {
        var lifecycle = Self.lifecycle()
        lifecycle.linger(now: Self.start)
        #expect(lifecycle.isOpen)
        let ending = lifecycle.close()
        #expect(ending == ConnectionLifecycle.Ending(wasRecording: false))
        lifecycle.linger(now: Self.start)
        #expect(lifecycle.deadline(session: nil) == Self.start + .seconds(1))
        let actions = [0, 1, 2].map { lifecycle.timerFired(now: Self.start + .seconds($0)) }
        #expect(actions == [.none, .closeChannel, .none])
    }

    @Test func holdsReadsWhileNoMoreCanBeTaken() {
        var lifecycle = Self.lifecycle()
        let unheld = [lifecycle.mayRead(canTakeMore: true), lifecycle.takeHeldRead(canTakeMore: true)]
        #expect(unheld == [true, false])
        let held = [lifecycle.mayRead(canTakeMore: false), lifecycle.takeHeldRead(canTakeMore: false)]
        #expect(held == [false, false])
        let taken = [lifecycle.takeHeldRead(canTakeMore: true), lifecycle.takeHeldRead(canTakeMore: true)]
        #expect(taken == [true, false])
        // What arrives after the end is read and dropped, so that the peer's end is noticed.
        let last = lifecycle.mayRead(canTakeMore: false)
        _ = lifecycle.close()
        let after = [lifecycle.takeHeldRead(canTakeMore: false), lifecycle.mayRead(canTakeMore: false)]
        #expect(!last && after == [true, true])
    }
}
