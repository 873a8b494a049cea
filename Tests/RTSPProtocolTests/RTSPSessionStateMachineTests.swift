import NIOCore
import SessionDescription
import Testing

@testable import RTSPProtocol

struct RTSPSessionStateMachineTests {
    typealias Session = RTSPTestSession

    /// Properties that distinguish requests of the same method.
    static let requests: [(Session.Phase, RTSPRequest, Session.Outcome)] = [
        // SETUP, recording
        (.ready, Session.setup("streamid=0"), .status(455)), (.ready, Session.setup("streamid=7"), .status(404)),
        (.announced, Session.request(.setup), .status(459)),
        (.announced, Session.setup("streamid=1", "RTP/SAVP"), .status(461)),
        (.announced, Session.setup("streamid=1", "RTP/AVP;unicast"), .status(461)),
        (.announced, Session.setup("streamid=1", "RTP/AVP;multicast;client_port=2-3"), .status(461)),
        (.announced, Session.setup("streamid=1", "RTP/AVP/TCP;interleaved=2-3;mode=play"), .status(461)),
        (.announced, Session.setup("streamid=1", "RTP/AVP/TCP;interleaved=2-3"), .prepare),
        (.idle, Session.setup("streamid=1"), .status(455)), (.described, Session.setup("trackID=1"), .status(455)),
        // SETUP, reading
        (.idle, Session.setup("trackID=1", "RTP/SAVP"), .status(461)),
        (.described, Session.setup("trackID=1", "RTP/AVP;client_port=2-3;mode=\"PLAY\""), .prepare),
        (.described, Session.request(.setup, headers: ["Transport": "RTP/AVP;client_port=2-3"]), .status(459)),
        (.described, Session.readerSetup("trackID=9"), .describe),
        (.reader, Session.readerSetup("trackID=9"), .status(404)), (.reader, Session.readerSetup(), .prepare),
        (.reader, Session.setup("trackID=1", "RTP/AVP/TCP;mode=record"), .status(461)),
        (.described, Session.request(.setup, uri: "*", headers: ["Transport": "RTP/AVP/TCP"]), .status(404)),
        // RECORD, PLAY and PAUSE by URL
        (.ready, Session.request(.record, uri: "rtsp://h/live/other.stream"), .status(404)),
        (.ready, Session.request(.record, uri: Session.url + "/streamid=0"), .record),
        (.reader, Session.request(.play, uri: "rtsp://h/live/other.stream"), .status(404)),
        (.reader, Session.request(.play, uri: Session.url + "/"), .play),
        (.playing, Session.request(.pause, uri: "rtsp://h/live/other.stream"), .status(404)),
        // Ranges, Scale and Speed
        (.reader, Session.request(.play, headers: ["Range": "npt=10-"]), .play),
        (.playing, Session.request(.play, headers: ["Range": "npt=10-"]), .play),
        (.reader, Session.request(.play, headers: ["Range": "npt=20-10"]), .status(457)),
        (.reader, Session.request(.play, headers: ["Range": "npt=soon-"]), .status(457)),
        (.reader, Session.request(.play, headers: ["Range": "clock=19961108T143720.25Z-"]), .status(501)),
        (.reader, Session.request(.play, headers: ["Range": "smpte=10:07:00-"]), .status(501)),
        (.reader, Session.request(.play, headers: ["Scale": "2.0", "Speed": "2"]), .play),
        (.ready, Session.request(.record, headers: ["Range": "npt=0.000-CSeq: 5"]), .record),
        // DESCRIBE
        (.idle, Session.request(.describe, headers: ["Accept": "application/rtsl, text/plain"]), .status(406)),
        (.idle, Session.request(.describe, headers: ["Accept": "text/html, application/*;q=0.5"]), .describe),
        (.idle, Session.request(.describe, uri: "*"), .status(400)),
        (.idle, Session.request(.describe, headers: ["Session": "1"]), .describe),
        // Sessions
        (.idle, Session.request(.getParameter, headers: ["Session": "1"]), .status(454)),
        (.idle, Session.request(.getParameter, headers: ["Session": "424242"]), .status(454)),
        (.recording, Session.request(.getParameter, headers: ["Session": "1"]), .status(454)),
        (.recording, Session.request(.getParameter, headers: ["Session": "424242;timeout=20"]), .status(200)),
        (.recording, Session.request(.options, headers: ["Session": "1"]), .status(200)),
        (.recording, Session.request(.getParameter, headers: ["Session": ""]), .status(200)),
        (.recording, Session.request(.teardown, headers: ["Session": "1"]), .status(454)),
        (.reader, Session.request(.play, headers: ["Session": "1"]), .status(454)),
        (.playing, Session.request(.teardown, uri: "rtsp://h"), .end),
        // Parameters
        (.playing, Session.request(.getParameter, uri: "*", body: "\r\n"), .status(200)),
        (.playing, Session.request(.getParameter, body: "jitter\r\n"), .status(451)),
        (.recording, Session.request(.setParameter, body: "volume: 3\r\n"), .status(451)),
        // Options
        (.idle, Session.request(.options, headers: ["Require": "funky-feature"]), .status(551)),
        (.playing, Session.request(.play, headers: ["proxy-require": "x"]), .status(551)),
    ]

    @Test(arguments: requests) func looksAtWhatIsAsked(
        phase: Session.Phase, request: RTSPRequest, expected: Session.Outcome
    ) {
        var machine = Session.machine(in: phase)
        #expect(Session.outcome(machine.receive(request, now: Session.start)) == expected)
    }

    static let announcements: [(RTSPHeaders, String, Session.Outcome)] = [
        (["Content-Type": "application/sdp "], Session.sdp, .evaluate),
        (["Content-Type": "Application/SDP; charset=utf-8"], Session.sdp, .evaluate), ([:], Session.sdp, .evaluate),
        (["Content-Type": "text/plain"], Session.sdp, .status(415)),
        (["Content-Type": "application/sdp"], "nonsense", .status(400)), ([:], "", .status(400)),
        (["Content-Type": "application/sdp"], "v=0\r\n", .status(400)),
    ]

    @Test(arguments: announcements)
    func looksAtWhatIsAnnounced(headers: RTSPHeaders, body: String, expected: Session.Outcome) {
        var machine = Session.machine(in: .idle)
        let request = Session.request(.announce, headers: headers, body: body)
        #expect(Session.outcome(machine.receive(request, now: Session.start)) == expected)
    }

    static let verdicts: [(RTSPVerdict, RTSPStatus)] = [
        (.accepted, .ok), (.refused(RTSPRefusal(.notFound)), .notFound),
        (.refused(RTSPRefusal(.unauthorized, headers: ["WWW-Authenticate": "x"])), .unauthorized),
    ]

    @Test(arguments: verdicts)
    func answersAnnounceWithASessionWhateverComesOfIt(verdict: RTSPVerdict, status: RTSPStatus) throws {
        var machine = Session.machine(in: .idle)
        _ = machine.receive(Session.announce, now: Session.start)
        let response = try #require(Session.response(machine.announcementEvaluated(verdict, now: Session.start)))
        #expect(response.status == status)
        #expect(response.headers["Session"] == "424242;timeout=20")
        #expect(response.headers["WWW-Authenticate"] == (status == .unauthorized ? "x" : nil))
        #expect(!machine.isAwaitingVerdict)
    }

    @Test func theSessionThatARefusedAnnounceWasToldIsTheOneThatFollows() throws {
        var machine = RTSPSessionStateMachine(now: Session.start)
        _ = machine.receive(Session.announce, now: Session.start)
        let refused = try #require(
            Session.response(machine.announcementEvaluated(.refused(RTSPRefusal(.unauthorized)), now: Session.start)))
        var retry = Session.announce
        retry.headers["Session"] = refused.headers["Session"]
        let accepted = try #require(Session.answer(retry, in: &machine))
        #expect(accepted.status == .ok && accepted.headers["Session"] == refused.headers["Session"])
        Session.answer(Session.request(.teardown), in: &machine)
        let next = try #require(Session.answer(Session.announce, in: &machine))
        #expect(next.headers["Session"] != refused.headers["Session"])
    }

    @Test func aRefusedRecordLeavesTheSessionReady() {
        var machine = Session.machine(in: .ready)
        _ = machine.receive(Session.request(.record), now: Session.start)
        let busy = RTSPVerdict.refused(RTSPRefusal(.notEnoughBandwidth))
        #expect(Session.outcome(machine.recordingEvaluated(busy, now: Session.start)) == .status(453))
        #expect(Session.outcome(machine.receive(Session.request(.record), now: Session.start)) == .record)
    }

    @Test func aRefusedTransportLeavesTheTrackFree() {
        var machine = Session.machine(in: .announced)
        _ = machine.receive(Session.setup("streamid=0"), now: Session.start)
        let refusal = RTSPRefusal(.unsupportedTransport)
        #expect(
            Session.outcome(machine.transportPrepared(.failure(refusal), now: Session.start)) == .status(461))
        #expect(Session.outcome(machine.receive(Session.setup("streamid=0"), now: Session.start)) == .prepare)
    }

    @Test func aPausedPublisherRecordsAgain() {
        var machine = Session.machine(in: .recording)
        #expect(Session.answer(Session.request(.pause), in: &machine)?.headers["Session"] == "424242;timeout=20")
        #expect(!machine.isRecording)
        #expect(Session.answer(Session.request(.record), in: &machine)?.status == .ok)
        #expect(machine.isRecording)
    }

    @Test func tracksAreGivenUpOneByOne() {
        var machine = Session.machine(in: .ready)
        Session.answer(Session.setup("streamid=1", "RTP/AVP/TCP;interleaved=2-3"), in: &machine)
        Session.answer(Session.request(.record), in: &machine)
        let first = machine.receive(Session.request(.teardown, uri: Session.url + "/streamid=0"), now: Session.start)
        guard case .releaseTrack(0, let response) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(response.headers["Session"] != nil && machine.isRecording)
        let second = machine.receive(Session.request(.teardown, uri: Session.url + "/streamid=1"), now: Session.start)
        #expect(Session.outcome(second) == .end)
        #expect(!machine.isRecording)
    }

    @Test func namesTheOptionsItDoesNotKnow() throws {
        var machine = Session.machine(in: .idle)
        var request = Session.request(.options, headers: ["Require": "a, b"])
        request.headers.add(name: "Proxy-Require", value: "c")
        let response = try #require(Session.answer(request, in: &machine))
        #expect(response.headers["Unsupported"] == "a, b, c")
    }

    @Test func repliesWithoutCSeqWhereTheRequestHasNone() {
        var machine = Session.machine(in: .ready)
        let response = Session.answer(RTSPRequest(method: .record, uri: Session.url), in: &machine)
        #expect(response?.status == .ok && response?.headers["CSeq"] == nil)
        #expect(machine.isRecording)
    }

    @Test func sessionIdentifiersAreDecimalDigitsAndDiffer() {
        let identifiers = (0..<100).map { _ in RTSPSessionStateMachine.randomSessionID() }
        #expect(Set(identifiers).count == 100)
        #expect(identifiers.allSatisfy { $0.allSatisfy { ("0"..."9").contains($0) } && $0.count == 19 })
    }

    @Test func aVerdictThatNobodyWaitsForIsNone() {
        for phase in Session.Phase.allCases {
            var machine = Session.machine(in: phase)
            let now = Session.start
            #expect(machine.announcementEvaluated(.accepted, now: now) == .none)
            #expect(machine.descriptionEvaluated(.success(Session.description), now: now) == .none)
            #expect(machine.transportPrepared(.failure(RTSPRefusal(.forbidden)), now: now) == .none)
            #expect(machine.recordingEvaluated(.accepted, now: now) == .none)
            #expect(machine.playingEvaluated(.failure(RTSPRefusal(.forbidden)), now: now) == .none)
        }
    }

    @Test func anEndWhileAVerdictIsOwedMakesItNone() {
        var machine = Session.machine(in: .idle)
        _ = machine.receive(Session.announce, now: Session.start)
        machine.connectionClosed()
        #expect(!machine.isAwaitingVerdict)
        #expect(machine.announcementEvaluated(.accepted, now: Session.start) == .none)
        #expect(machine.isClosed)
    }

    // MARK: Time and ends

    @Test func endsWithPeersThatSayNothing() {
        var machine = Session.machine(in: .idle)
        #expect(machine.deadline == Session.start + .seconds(10))
        #expect(machine.deadlineReached(now: Session.start + .seconds(9)) == .none)
        #expect(machine.deadlineReached(now: Session.start + .seconds(10)) == .close(.firstRequestTimeout))
        #expect(machine.isClosed && machine.deadline == nil)
    }

    @Test func endsWithPublishersThatFallSilent() {
        var machine = Session.machine(in: .recording)
        machine.mediaReceived(now: Session.start + .seconds(15))
        #expect(machine.deadlineReached(now: Session.start + .seconds(20)) == .none)
        _ = machine.receive(Session.request(.getParameter), now: Session.start + .seconds(30))
        #expect(machine.deadline == Session.start + .seconds(50))
        #expect(machine.deadlineReached(now: Session.start + .seconds(50)) == .close(.idleTimeout))
    }

    @Test func endsWithPeersThatOnlyHearRefusals() {
        var machine = Session.machine(in: .idle)
        for _ in 1..<32 {
            #expect(Session.outcome(machine.receive(Session.request(.play), now: Session.start)) == .status(455))
            #expect(!machine.isClosed)
        }
        guard case .replyAndClose(_, .tooManyRefusals) = machine.receive(Session.request(.play), now: Session.start)
        else {
            Issue.record("goes on")
            return
        }
    }

    @Test(arguments: [Session.Phase.recording, .playing])
    func bearsWithPeersWhoseMediaFlow(phase: Session.Phase) {
        var machine = Session.machine(in: phase)
        for _ in 0..<100 {
            let request = Session.request(.getParameter, body: "position\r\n")
            #expect(Session.outcome(machine.receive(request, now: Session.start)) == .status(451))
        }
        #expect(!machine.isClosed)
    }

    @Test func answersBadBytesAndCloses() {
        var machine = Session.machine(in: .recording)
        let error = RTSPParsingError(.bodyTooLarge, "too much")
        guard case .replyAndClose(let response, .protocolError) = machine.parsingFailed(error) else {
            Issue.record("goes on")
            return
        }
        #expect(response.status.code == 413)
        #expect(machine.receive(Session.request(.options), now: Session.start) == .none)
    }
}
