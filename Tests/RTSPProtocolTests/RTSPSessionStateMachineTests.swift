import NIOCore
import SessionDescription
import Testing

@testable import RTSPProtocol

struct RTSPSessionStateMachineTests {
    static let start = NIODeadline.uptimeNanoseconds(1_000)
    static let url = "rtsp://h/live/canalA.stream"
    static let sdp =
        "v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:streamid=0\r\n"
        + "m=audio 0 RTP/AVP 97\r\na=rtpmap:97 MPEG4-GENERIC/48000/2\r\na=control:streamid=1\r\n"

    enum Phase: CaseIterable { case idle, announced, ready, recording, closed }

    static func request(
        _ method: RTSPMethod, uri: String = url, headers: RTSPHeaders = [:], body: String = ""
    ) -> RTSPRequest {
        var headers = headers
        headers["CSeq"] = "5"
        return RTSPRequest(method: method, uri: uri, headers: headers, body: ByteBuffer(string: body))
    }

    static let announce = request(.announce, headers: ["Content-Type": "application/sdp"], body: sdp)
    static func setup(_ control: String, _ transport: String = "RTP/AVP/TCP;unicast;interleaved=0-1;mode=record")
        -> RTSPRequest
    {
        request(.setup, uri: url + "/" + control, headers: ["Transport": transport])
    }

    static func machine(in phase: Phase) -> RTSPSessionStateMachine {
        var machine = RTSPSessionStateMachine(now: start, makeSessionID: { "424242" })
        guard phase != .idle else { return machine }
        _ = machine.receive(announce, now: start)
        _ = machine.announcementEvaluated(.ok, now: start)
        guard phase != .announced else { return machine }
        _ = machine.receive(setup("streamid=0"), now: start)
        _ = machine.transportPrepared(.success(RTSPTransport(lowerTransport: .tcp)), now: start)
        guard phase != .ready else { return machine }
        _ = machine.receive(request(.record), now: start)
        _ = machine.recordingEvaluated(.ok, now: start)
        guard phase != .recording else { return machine }
        machine.connectionClosed()
        return machine
    }

    /// What each method does in each state: a status, or a question to the owner.
    enum Outcome: Hashable { case status(Int), evaluate, prepare, start, end, nothing }

    static func outcome(_ action: RTSPSessionAction) -> Outcome {
        switch action {
        case .reply(let response): .status(response.status.code)
        case .evaluateAnnouncement: .evaluate
        case .prepareTransport: .prepare
        case .startRecording: .start
        case .endSession: .end
        case .replyAndClose(let response, _): .status(response.status.code)
        case .close, .none: .nothing
        }
    }

    /// Columns: idle, announced, ready, recording; a closed machine does nothing.
    static let table: [(RTSPRequest, [Outcome])] = [
        (request(.options), [.status(200), .status(200), .status(200), .status(200)]),
        (announce, [.evaluate, .status(455), .status(455), .status(455)]),
        (setup("streamid=1"), [.status(455), .prepare, .prepare, .status(455)]),
        (setup("streamid=0"), [.status(455), .prepare, .status(455), .status(455)]),
        (setup("streamid=7"), [.status(455), .status(404), .status(404), .status(455)]),
        (request(.setup), [.status(455), .status(459), .status(459), .status(455)]),
        (setup("streamid=1", "RTP/SAVP"), [.status(455), .status(461), .status(461), .status(455)]),
        (setup("streamid=1", "RTP/AVP;unicast"), [.status(455), .status(461), .status(461), .status(455)]),
        (
            setup("streamid=1", "RTP/AVP;multicast;client_port=2-3"),
            [.status(455), .status(461), .status(461), .status(455)]
        ),
        (
            setup("streamid=1", "RTP/AVP/TCP;interleaved=2-3;mode=play"),
            [.status(455), .status(461), .status(461), .status(455)]
        ),
        (request(.record), [.status(455), .status(455), .start, .status(200)]),
        (
            request(.record, uri: "rtsp://h/live/other.stream"),
            [.status(455), .status(455), .status(404), .status(200)]
        ),
        (request(.getParameter), [.status(200), .status(200), .status(200), .status(200)]),
        (request(.setParameter), [.status(200), .status(200), .status(200), .status(200)]),
        (request(.teardown), [.status(454), .end, .end, .end]),
        (request(.pause), [.status(405), .status(405), .status(405), .status(405)]),
        (request(.play), [.status(405), .status(405), .status(405), .status(405)]),
        (request(.describe), [.status(405), .status(405), .status(405), .status(405)]),
        (request(.redirect), [.status(405), .status(405), .status(405), .status(405)]),
        (request(RTSPMethod("BREW")), [.status(501), .status(501), .status(501), .status(501)]),
        (
            request(.getParameter, headers: ["Session": "1"]),
            [.status(454), .status(454), .status(454), .status(454)]
        ),
        (
            request(.getParameter, headers: ["Session": "424242;timeout=20"]),
            [.status(454), .status(200), .status(200), .status(200)]
        ),
        (request(.teardown, headers: ["Session": "1"]), [.status(454), .status(454), .status(454), .status(454)]),
    ]

    @Test(arguments: table.indices)
    func answersEachMethodInEachState(row: Int) {
        let (request, outcomes) = Self.table[row]
        for (phase, expected) in zip(Phase.allCases, outcomes + [.nothing]) {
            var machine = Self.machine(in: phase)
            let action = machine.receive(request, now: Self.start)
            #expect(Self.outcome(action) == expected, "\(request.method) in \(phase)")
            if case .reply(let response) = action { #expect(response.headers["CSeq"] == "5") }
        }
    }

    static let announcements: [(RTSPHeaders, String, Outcome)] = [
        (["Content-Type": "application/sdp "], sdp, .evaluate),
        (["Content-Type": "Application/SDP; charset=utf-8"], sdp, .evaluate),
        (["Content-Type": "text/plain"], sdp, .status(415)), ([:], sdp, .status(415)),
        (["Content-Type": "application/sdp"], "nonsense", .status(400)),
        (["Content-Type": "application/sdp"], "v=0\r\n", .status(400)),
    ]

    @Test(arguments: announcements)
    func looksAtWhatIsAnnounced(headers: RTSPHeaders, body: String, expected: Outcome) {
        var machine = Self.machine(in: .idle)
        let request = Self.request(.announce, headers: headers, body: body)
        #expect(Self.outcome(machine.receive(request, now: Self.start)) == expected)
    }

    @Test(arguments: [RTSPStatus.ok, .notFound, .unsupportedMediaType])
    func answersAnnounceWithASessionWhateverComesOfIt(status: RTSPStatus) {
        var machine = Self.machine(in: .idle)
        _ = machine.receive(Self.announce, now: Self.start)
        #expect(machine.isAwaitingVerdict)
        guard case .reply(let response) = machine.announcementEvaluated(status, now: Self.start) else {
            Issue.record("no reply")
            return
        }
        #expect(response.status == status)
        #expect(response.headers["Session"] == "424242;timeout=20")
        #expect(!machine.isAwaitingVerdict)
    }

    @Test func aRefusedRecordLeavesTheSessionReady() {
        var machine = Self.machine(in: .ready)
        _ = machine.receive(Self.request(.record), now: Self.start)
        #expect(Self.outcome(machine.recordingEvaluated(.notEnoughBandwidth, now: Self.start)) == .status(453))
        #expect(Self.outcome(machine.receive(Self.request(.record), now: Self.start)) == .start)
    }

    @Test func aRefusedTransportLeavesTheTrackFree() {
        var machine = Self.machine(in: .announced)
        _ = machine.receive(Self.setup("streamid=0"), now: Self.start)
        let refusal = RTSPRefusal(.unsupportedTransport)
        #expect(Self.outcome(machine.transportPrepared(.failure(refusal), now: Self.start)) == .status(461))
        #expect(Self.outcome(machine.receive(Self.setup("streamid=0"), now: Self.start)) == .prepare)
    }

    @Test func repliesWithoutCSeqWhereTheRequestHasNone() {
        var machine = Self.machine(in: .ready)
        _ = machine.receive(RTSPRequest(method: .record, uri: Self.url), now: Self.start)
        guard case .reply(let response) = machine.recordingEvaluated(.ok, now: Self.start) else {
            Issue.record("no reply")
            return
        }
        #expect(response.headers["CSeq"] == nil)
        #expect(machine.isRecording)
    }

    @Test func sessionIdentifiersAreDecimalDigitsAndDiffer() {
        let identifiers = (0..<100).map { _ in RTSPSessionStateMachine.randomSessionID() }
        #expect(Set(identifiers).count == 100)
        #expect(identifiers.allSatisfy { $0.allSatisfy { ("0"..."9").contains($0) } && $0.count == 19 })
    }

    @Test func thePublicHeaderTellsTheTruth() {
        var machine = Self.machine(in: .idle)
        guard case .reply(let response) = machine.receive(Self.request(.options, uri: "*"), now: Self.start) else {
            Issue.record("no reply")
            return
        }
        let methods = (response.headers["Public"] ?? "").split(separator: ", ").map { RTSPMethod(String($0)) }
        #expect(methods == RTSPSessionStateMachine.supportedMethods)
        for method in [RTSPMethod.pause, .play, .describe] { #expect(!methods.contains(method)) }
    }

    @Test func endsWithPeersThatSayNothing() {
        var machine = Self.machine(in: .idle)
        #expect(machine.deadline == Self.start + .seconds(10))
        #expect(machine.deadlineReached(now: Self.start + .seconds(9)) == .none)
        #expect(machine.deadlineReached(now: Self.start + .seconds(10)) == .close(.firstRequestTimeout))
        #expect(machine.isClosed && machine.deadline == nil)
    }

    @Test func endsWithPublishersThatFallSilent() {
        var machine = Self.machine(in: .recording)
        machine.mediaReceived(now: Self.start + .seconds(15))
        #expect(machine.deadlineReached(now: Self.start + .seconds(20)) == .none)
        _ = machine.receive(Self.request(.getParameter), now: Self.start + .seconds(30))
        #expect(machine.deadline == Self.start + .seconds(50))
        #expect(machine.deadlineReached(now: Self.start + .seconds(50)) == .close(.idleTimeout))
    }

    @Test func endsWithPeersThatOnlyHearRefusals() {
        var machine = Self.machine(in: .idle)
        for _ in 1..<32 {
            #expect(Self.outcome(machine.receive(Self.request(.play), now: Self.start)) == .status(405))
            #expect(!machine.isClosed)
        }
        guard case .replyAndClose(_, .tooManyRefusals) = machine.receive(Self.request(.play), now: Self.start) else {
            Issue.record("goes on")
            return
        }
    }

    @Test func answersBadBytesAndCloses() {
        var machine = Self.machine(in: .recording)
        let error = RTSPParsingError(.bodyTooLarge, "too much")
        guard case .replyAndClose(let response, .protocolError) = machine.parsingFailed(error) else {
            Issue.record("goes on")
            return
        }
        #expect(response.status.code == 413)
        #expect(machine.receive(Self.request(.options), now: Self.start) == .none)
    }
}
