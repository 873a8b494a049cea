import NIOCore
import Testing

@testable import Broadcaster

struct BroadcastStateMachineTests {
    static let start = NIODeadline.uptimeNanoseconds(0)
    static let error = BroadcastError(.connectionLost, "broken")

    private static func connecting(waitsForServer: Bool = false) -> BroadcastStateMachine {
        var machine = BroadcastStateMachine(waitsForServer: waitsForServer)
        _ = machine.sourceAnnounced()
        return machine
    }

    private static func live() -> BroadcastStateMachine {
        var machine = connecting()
        _ = machine.recording(now: start)
        return machine
    }

    private static func disconnect(
        _ machine: inout BroadcastStateMachine, _ error: BroadcastError? = error, isTemporary: Bool = true
    ) -> BroadcastStateMachine.DisconnectAction {
        var generator = SystemRandomNumberGenerator()
        return machine.disconnected(error, isTemporary: isTemporary, using: &generator)
    }

    @Test func connectsOnceTheSourceIsKnown() {
        var machine = BroadcastStateMachine(waitsForServer: false)
        #expect(machine.isOpening && machine.state == .opening)
        let actions = [machine.sourceAnnounced(), machine.sourceAnnounced()]
        #expect(actions == [.connect, .none] && machine.state == .connecting && machine.liveSince == nil)
        let isReconnection = machine.recording(now: Self.start)
        #expect(!isReconnection && machine.state == .live && machine.liveSince == Self.start)
        #expect(machine.connectionCount == 1)
    }

    @Test(arguments: [(true, true, true), (true, false, false), (false, true, false)])
    func theFirstAttemptIsRepeatedOnlyOnRequest(waits: Bool, isTemporary: Bool, retries: Bool) {
        var machine = Self.connecting(waitsForServer: waits)
        let action = Self.disconnect(&machine, isTemporary: isTemporary)
        if case .retry = action { #expect(retries) } else { #expect(!retries && action == .fail(Self.error)) }
        #expect(machine.hasEnded != retries)
    }

    @Test func aLostConnectionIsMadeAgain() {
        var machine = Self.live()
        let lost = Self.disconnect(&machine, isTemporary: false)
        guard case .retry(let delay, isNews: true) = lost else {
            Issue.record("unexpected: \(lost)")
            return
        }
        #expect(delay > .zero && machine.state == .waiting && machine.problem == "broken")
        let retries = [machine.retryDue(), machine.retryDue()]
        #expect(retries == [.connect, .none] && machine.problem == "broken")
        let again = Self.disconnect(&machine)
        guard case .retry(_, isNews: false) = again else {
            Issue.record("unexpected: \(again)")
            return
        }
        _ = machine.retryDue()
        let isReconnection = machine.recording(now: Self.start + .seconds(60))
        #expect(isReconnection && machine.problem == nil && machine.connectionCount == 2)
    }

    @Test func aServerThatEndsTheSessionIsAProblem() {
        var machine = Self.live()
        _ = Self.disconnect(&machine, nil)
        #expect(machine.problem == "the server has ended the session")
    }

    @Test func otherFormatsNeedAnotherConnection() {
        var machine = Self.live()
        let action = machine.formatsChanged()
        #expect(action == .connect && machine.state == .connecting && machine.liveSince == nil)
        var waiting = Self.live()
        _ = Self.disconnect(&waiting)
        let none = waiting.formatsChanged()
        #expect(none == .none && waiting.state == .waiting)
    }

    @Test func stoppingWaitsForTheServer() {
        var machine = Self.live()
        let actions = [machine.stop(), machine.stop()]
        #expect(actions == [.tearDown, .none] && machine.state == .live && machine.liveSince == Self.start)
        let changed = machine.formatsChanged()
        #expect(changed == .none)
        let ended = Self.disconnect(&machine)
        #expect(ended == .finish && machine.hasEnded && machine.liveSince == nil && machine.problem == nil)
    }

    @Test func withoutAConnectionStoppingEndsAtOnce() {
        var opening = BroadcastStateMachine(waitsForServer: false)
        var waiting = Self.live()
        _ = Self.disconnect(&waiting)
        let actions = [opening.stop(), waiting.stop()]
        #expect(actions == [.finish, .finish] && opening.hasEnded && waiting.hasEnded)
        let retry = waiting.retryDue()
        #expect(retry == .none && waiting.problem == "broken")
    }

    @Test func failsOnce() {
        var machine = Self.live()
        let failures = [machine.fail(), machine.fail()]
        #expect(failures == [true, false] && machine.state == .ended)
        let after = Self.disconnect(&machine)
        let stop = machine.stop()
        #expect(after == .none && stop == .none)
    }

    @Test func aConnectionThatLastsShortensTheNextDelay() {
        var machine = Self.live()
        func delay() -> Duration? {
            let action = Self.disconnect(&machine)
            _ = machine.retryDue()
            _ = machine.recording(now: Self.start)
            if case .retry(let delay, _) = action { return delay }
            return nil
        }
        let delays = (0..<6).compactMap { _ in delay() }
        #expect(delays.count == 6 && delays.last.map { $0 > .seconds(5) } == true)
        machine.secondPassed(now: Self.start + .seconds(11))
        #expect(delay().map { $0 < .seconds(1) } == true)
    }
}
