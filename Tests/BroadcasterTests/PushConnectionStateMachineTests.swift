import NIOCore
import RTSPProtocol
import SessionDescription
import Testing

@testable import Broadcaster

struct PushConnectionStateMachineTests {
    static let start = NIODeadline.uptimeNanoseconds(0)

    private static func machine(
        _ transport: PushTarget.Transport = .tcp, trackCount: Int = 1, isProbe: Bool = false
    ) throws -> PushConnectionStateMachine {
        let target = try PushTarget(parsing: "rtsp://h:8554/live/canalA.stream", transport: transport)
        return PushConnectionStateMachine(target, trackCount: trackCount, isProbe: isProbe)
    }

    private static func announcement(_ machine: inout PushConnectionStateMachine) -> RTSPRequest? {
        var transport = RTSPTransport(lowerTransport: .tcp)
        transport.interleavedChannels = RTSPChannelPair(rtp: 0, rtcp: 1)
        let media = SDPMediaDescription(
            mediaType: "video", formats: ["96"], attributes: [SDPAttribute("control", "trackID=0")])
        return machine.announce(
            .init(url: "rtsp://h:8554/x", description: SDPSession(media: [media]), transports: [transport]),
            authenticator: nil, now: start)
    }

    private static func answer(_ request: RTSPRequest, _ status: RTSPStatus = .ok) -> RTSPResponse {
        RTSPResponse(to: request, status, headers: ["Session": "42;timeout=9"])
    }

    /// Goes on until the server has accepted the announcement.
    private static func recording() throws -> PushConnectionStateMachine {
        var machine = try machine()
        _ = machine.connected(now: start)
        var request = announcement(&machine)
        while let sent = request {
            switch machine.receive(answer(sent), now: start + .seconds(1)) {
            case .send(let next): request = next
            case .record(let session, let roundTrip):
                #expect(session.id == "42" && roundTrip == (sent.method == .record ? .zero : nil))
                return machine
            case let other:
                Issue.record("unexpected: \(other)")
                request = nil
            }
        }
        return machine
    }

    private static func error(_ code: BroadcastError.Code, _ reason: String) -> BroadcastError {
        BroadcastError(code, reason)
    }

    @Test func tracksByUDPGetSocketsOneAfterTheOther() throws {
        var machine = try Self.machine(.udp, trackCount: 2)
        let actions = [machine.connected(now: Self.start), machine.socketsBound(), machine.socketsBound()]
        #expect(actions == [.bindSockets(track: 0), .bindSockets(track: 1), .announce])
        var interleaved = try Self.machine(.tcp, trackCount: 2)
        let action = interleaved.connected(now: Self.start)
        #expect(action == .announce)
    }

    @Test func whatIsOpenedAfterTheEndIsDiscarded() throws {
        var machine = try Self.machine(.udp)
        let broken = Self.error(.unreachable, "broken")
        let endings = [machine.fail(broken, isTemporary: true), machine.fail(broken, isTemporary: true)]
        #expect(endings == [.init(error: broken, isTemporary: true, isReported: true), nil])
        let actions = [machine.connected(now: Self.start), machine.socketsBound()]
        #expect(actions == [.discard, .discard] && machine.deadline == nil)
        let request = Self.announcement(&machine)
        let tearDown = machine.tearDown(now: Self.start)
        #expect(request == nil && tearDown == .none)
    }

    @Test func aSilentServerIsUnreachable() throws {
        var machine = try Self.machine()
        _ = machine.connected(now: Self.start)
        _ = Self.announcement(&machine)
        #expect(machine.deadline == Self.start + TimeAmount(PushConnectionStateMachine.answerTimeout))
        let early = machine.timerFired(now: Self.start + .seconds(14))
        let due = machine.timerFired(now: Self.start + .seconds(15))
        #expect(early == .none)
        let silence = Self.error(.unreachable, "h:8554 has not answered for 15 s")
        #expect(due == .end(.init(error: silence, isTemporary: true, isReported: true)) && machine.deadline == nil)
    }

    /// The session times out after 9 s, so reports are sent every 3 s.
    @Test func reportsKeepTheSessionAliveAndMeasureTheRoundTrip() throws {
        var machine = try Self.recording()
        #expect(machine.isRecording && machine.deadline == Self.start + .seconds(1))
        guard case .report(let request?) = machine.timerFired(now: Self.start + .seconds(1)) else {
            Issue.record("no request")
            return
        }
        #expect(request.method == .options && machine.deadline == Self.start + .seconds(4))
        let unanswered = machine.timerFired(now: Self.start + .seconds(4))
        #expect(unanswered == .report(nil))
        let alive = machine.receive(Self.answer(request), now: Self.start + .seconds(5))
        #expect(alive == .noteRoundTrip(.seconds(4)))
        guard case .report(_?) = machine.timerFired(now: Self.start + .seconds(7)) else {
            Issue.record("no second request")
            return
        }
    }

    @Test func aConnectionWithoutAnswersIsLost() throws {
        var machine = try Self.recording()
        _ = machine.timerFired(now: Self.start + .seconds(1))
        let due = machine.timerFired(now: Self.start + .seconds(16))
        let silence = Self.error(.connectionLost, "h:8554 has not answered for 15 s")
        #expect(due == .end(.init(error: silence, isTemporary: true, isReported: true)))
    }

    @Test func tearingDownWaitsBrieflyForTheAnswer() throws {
        var machine = try Self.recording()
        guard case .send(let request) = machine.tearDown(now: Self.start + .seconds(10)) else {
            Issue.record("no request")
            return
        }
        #expect(request.method == .teardown && !machine.isRecording)
        #expect(machine.deadline == Self.start + .seconds(12))
        var silent = machine
        let orderly = PushConnectionStateMachine.Ending(error: nil, isTemporary: false, isReported: true)
        let answered = machine.receive(Self.answer(request), now: Self.start + .seconds(11))
        let timedOut = silent.timerFired(now: Self.start + .seconds(12))
        #expect(answered == .end(orderly) && timedOut == .end(orderly))
    }

    @Test func withoutARecordingTearingDownEndsAtOnce() throws {
        var machine = try Self.machine()
        _ = machine.connected(now: Self.start)
        machine.detach()
        let action = machine.tearDown(now: Self.start)
        #expect(action == .end(.init(error: nil, isTemporary: false, isReported: false)))
    }

    @Test func aProbeEndsWithTheAcceptedAnnouncement() throws {
        var machine = try Self.machine(isProbe: true)
        _ = machine.connected(now: Self.start)
        let options = try #require(Self.announcement(&machine))
        guard case .send(let announce) = machine.receive(Self.answer(options), now: Self.start) else {
            Issue.record("no ANNOUNCE")
            return
        }
        let action = machine.receive(Self.answer(announce), now: Self.start)
        #expect(action == .end(.init(error: nil, isTemporary: false, isReported: true)))
    }

    @Test func onlyAServerOfAnotherProtocolIsNotTriedAgain() throws {
        var machine = try Self.machine()
        var foreign = machine
        let ended = machine.closed(nil)
        let refused = foreign.closed(PushConnectionHandler.ForeignProtocol.http)
        #expect(ended?.isTemporary == true && refused?.isTemporary == false && refused?.error?.code == .notRTSP)
    }
}
