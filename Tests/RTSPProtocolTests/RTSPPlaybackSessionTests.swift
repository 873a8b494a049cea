import NIOCore
import SessionDescription
import Testing

@testable import RTSPProtocol

struct RTSPPlaybackSessionTests {
    typealias Session = RTSPTestSession

    @Test func describesWithTheBaseThatControlURLsAreAppendedTo() throws {
        var machine = Session.machine(in: .idle)
        let request = Session.request(.describe, uri: Session.url + "?token=x")
        let response = try #require(Session.answer(request, in: &machine))
        #expect(response.headers["Content-Base"] == Session.url + "/")
        #expect(response.headers["Content-Type"] == "application/sdp")
        // A description does not create a session (RFC 2326 §10.2).
        #expect(response.headers["Session"] == nil)
        #expect(try SDPSession(parsing: response.body.readableBytesView) == Session.description)
    }

    @Test func aRefusedDescriptionCarriesItsChallenges() throws {
        var machine = Session.machine(in: .idle)
        _ = machine.receive(Session.describe, now: Session.start)
        let refusal = RTSPRefusal(.unauthorized, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
        let response = try #require(
            Session.response(machine.descriptionEvaluated(.failure(refusal), now: Session.start)))
        #expect(response.status == .unauthorized)
        #expect(response.headers["WWW-Authenticate"] == "Basic realm=\"x\"")
    }

    @Test func setsUpWithoutADescriptionByAskingForOne() throws {
        var machine = Session.machine(in: .idle)
        let uri = Session.url + "/trackID=1?token=x"
        let setup = Session.request(.setup, uri: uri, headers: ["Transport": "RTP/AVP/TCP;interleaved=2-3"])
        guard case .evaluateDescription(let question, _) = machine.receive(setup, now: Session.start) else {
            Issue.record("no question")
            return
        }
        #expect(question.url == RTSPURL(parsing: Session.url + "?token=x"))
        #expect(question.purpose == .settingUp)
        let action = machine.descriptionEvaluated(.success(Session.description), now: Session.start)
        guard case .prepareTransport(let transport) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(transport.trackIndex == 1)
        #expect(
            transport.purpose
                == .playing(RTSPPresentation(url: question.url, description: Session.description)))
        let response = try #require(Session.response(Session.settle(action, in: &machine)))
        #expect(response.headers["Session"] == "424242;timeout=60")
        #expect(response.headers["Transport"] == "RTP/AVP/TCP;unicast;interleaved=2-3")
    }

    @Test func aReaderThatIsRefusedHasNoSession() throws {
        var machine = Session.machine(in: .described)
        _ = machine.receive(Session.readerSetup(), now: Session.start)
        let refusal = RTSPRefusal(.notEnoughBandwidth)
        let response = try #require(
            Session.response(machine.transportPrepared(.failure(refusal), now: Session.start)))
        #expect(response.status.code == 453 && response.headers["Session"] == nil)
        #expect(Session.outcome(machine.receive(Session.request(.teardown), now: Session.start)) == .status(454))
    }

    /// ffmpeg compares the URLs of RTP-Info and of its SETUPs as text.
    @Test func namesTracksAsTheReaderDoes() throws {
        var machine = Session.machine(in: .described)
        let uri = "rtsp://other-name:99/live/canalA.stream/trackID=0"
        let setup = Session.request(.setup, uri: uri, headers: ["Transport": "RTP/AVP;client_port=5000-5001"])
        Session.answer(setup, in: &machine)
        let play = Session.request(.play, headers: ["Range": "npt=1.5-"])
        let response = try #require(Session.answer(play, in: &machine))
        #expect(response.headers["RTP-Info"] == "url=\(uri);seq=7;rtptime=90000")
        #expect(response.headers["Range"] == "npt=1.500-")
        #expect(machine.isPlaying)
    }

    @Test func seeksAndPausesAndGoesOn() {
        var machine = Session.machine(in: .playing)
        let seek = Session.request(.play, headers: ["Range": "npt=30-"])
        guard case .startPlaying(let request) = machine.receive(seek, now: Session.start) else {
            Issue.record("no seek")
            return
        }
        #expect(request.range == RTSPRange(start: .at(.seconds(30))))
        let refusal = RTSPRefusal(.invalidRange)
        #expect(
            Session.outcome(machine.playingEvaluated(.failure(refusal), now: Session.start)) == .status(457))
        #expect(machine.isPlaying)
        Session.answer(Session.request(.pause), in: &machine)
        #expect(!machine.isPlaying)
        guard case .startPlaying(let resumed) = machine.receive(Session.request(.play), now: Session.start) else {
            Issue.record("does not go on")
            return
        }
        #expect(resumed.range == nil)
    }

    /// The behaviour of ffmpeg if it receives nothing over UDP: PAUSE, then SETUP with TCP and without a session ID,
    /// then PLAY.
    @Test func setsUpAgainByAnotherTransport() throws {
        var machine = Session.machine(in: .playing)
        Session.answer(Session.request(.pause, headers: ["Session": Session.sessionID]), in: &machine)
        let setup = Session.setup("trackID=0", "RTP/AVP/TCP;unicast;interleaved=0-1")
        let response = try #require(Session.answer(setup, in: &machine))
        #expect(response.headers["Session"] == "424242;timeout=60")
        #expect(Session.answer(Session.request(.play), in: &machine)?.status == .ok)
    }

    @Test func afterTeardownWhatWasDescribedCanBeSetUpAgain() {
        var machine = Session.machine(in: .playing)
        #expect(Session.outcome(machine.receive(Session.request(.teardown), now: Session.start)) == .end)
        #expect(Session.outcome(machine.receive(Session.readerSetup(), now: Session.start)) == .prepare)
    }

    @Test func aDescriptionInBetweenChangesNothing() {
        var machine = Session.machine(in: .playing)
        #expect(Session.answer(Session.describe, in: &machine)?.status == .ok)
        #expect(machine.isPlaying)
        var recording = Session.machine(in: .recording)
        _ = recording.receive(Session.describe, now: Session.start)
        #expect(recording.isRecording && recording.isAwaitingVerdict)
    }

    @Test func readersMayBeSilentForLongerThanPublishers() {
        let machine = Session.machine(in: .playing)
        #expect(machine.deadline == Session.start + .seconds(60))
    }
}
