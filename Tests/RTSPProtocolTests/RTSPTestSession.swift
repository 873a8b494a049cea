import NIOCore
import SessionDescription

@testable import RTSPProtocol

/// States, requests and verdicts that the session tests have in common.
enum RTSPTestSession {
    static let start = NIODeadline.uptimeNanoseconds(1_000)
    static let url = "rtsp://h/live/canalA.stream"
    static let sessionID = "424242"
    static let sdp =
        "v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:streamid=0\r\n"
        + "m=audio 0 RTP/AVP 97\r\na=rtpmap:97 MPEG4-GENERIC/48000/2\r\na=control:streamid=1\r\n"
    static let description = SDPSession(media: [
        SDPMediaDescription(
            mediaType: "video", formats: ["96"],
            attributes: [SDPAttribute("rtpmap", "96 H264/90000"), SDPAttribute("control", "trackID=0")]),
        SDPMediaDescription(
            mediaType: "audio", formats: ["97"],
            attributes: [SDPAttribute("rtpmap", "97 MPEG4-GENERIC/48000/2"), SDPAttribute("control", "trackID=1")]),
    ])

    enum Phase: CaseIterable {
        case idle, described
        case announced, ready, recording, recordingPaused
        case reader, playing, playingPaused
        case closed
    }

    static func request(
        _ method: RTSPMethod, uri: String = url, headers: RTSPHeaders = [:], body: String = ""
    ) -> RTSPRequest {
        var headers = headers
        headers["CSeq"] = "5"
        return RTSPRequest(method: method, uri: uri, headers: headers, body: ByteBuffer(string: body))
    }

    static let announce = request(.announce, headers: ["Content-Type": "application/sdp"], body: sdp)
    static let describe = request(.describe, headers: ["Accept": "application/sdp"])

    static func setup(
        _ control: String, _ transport: String = "RTP/AVP/TCP;unicast;interleaved=0-1;mode=record"
    ) -> RTSPRequest {
        request(.setup, uri: url + "/" + control, headers: ["Transport": transport])
    }

    static func readerSetup(_ control: String = "trackID=0") -> RTSPRequest {
        setup(control, "RTP/AVP;unicast;client_port=5000-5001")
    }

    static func machine(in phase: Phase) -> RTSPSessionStateMachine {
        var machine = RTSPSessionStateMachine(now: start, makeSessionID: { sessionID })
        switch phase {
        case .idle: break
        case .described: answer(describe, in: &machine)
        case .announced, .ready, .recording, .recordingPaused:
            answer(announce, in: &machine)
            if phase == .announced { break }
            answer(setup("streamid=0"), in: &machine)
            if phase == .ready { break }
            answer(request(.record), in: &machine)
            if phase == .recordingPaused { answer(request(.pause), in: &machine) }
        case .reader, .playing, .playingPaused:
            answer(describe, in: &machine)
            answer(readerSetup(), in: &machine)
            if phase == .reader { break }
            answer(request(.play), in: &machine)
            if phase == .playingPaused { answer(request(.pause), in: &machine) }
        case .closed: machine.connectionClosed()
        }
        return machine
    }

    /// Carries out a request with an owner that accepts everything.
    @discardableResult
    static func answer(_ request: RTSPRequest, in machine: inout RTSPSessionStateMachine) -> RTSPResponse? {
        response(settle(machine.receive(request, now: start), in: &machine))
    }

    static func settle(_ action: RTSPSessionAction, in machine: inout RTSPSessionStateMachine) -> RTSPSessionAction {
        switch action {
        case .evaluateAnnouncement: machine.announcementEvaluated(.accepted, now: start)
        case .evaluateDescription:
            settle(machine.descriptionEvaluated(.success(description), now: start), in: &machine)
        case .prepareTransport(let request): machine.transportPrepared(.success(request.offers[0]), now: start)
        case .startRecording: machine.recordingEvaluated(.accepted, now: start)
        case .startPlaying(let request):
            machine.playingEvaluated(
                .success(
                    RTSPPlayback(
                        range: request.range ?? RTSPRange(start: .at(.zero)),
                        streams: [RTPStreamInfo(trackIndex: 0, sequenceNumber: 7, rtpTimestamp: 90_000)])), now: start)
        case .reply, .pause, .releaseTrack, .endSession, .replyAndClose, .close, .none: action
        }
    }

    static func response(_ action: RTSPSessionAction) -> RTSPResponse? {
        switch action {
        case .reply(let response), .pause(let response), .releaseTrack(_, let response), .endSession(let response, _),
            .replyAndClose(let response, _):
            response
        case .evaluateAnnouncement, .evaluateDescription, .prepareTransport, .startRecording, .startPlaying, .close,
            .none:
            nil
        }
    }

    /// The result of a request: a status, or a question to the owner.
    enum Outcome: Hashable {
        case status(Int), evaluate, describe, prepare, record, play, pause, release, end, nothing
    }

    static func outcome(_ action: RTSPSessionAction) -> Outcome {
        switch action {
        case .reply(let response), .replyAndClose(let response, _): .status(response.status.code)
        case .evaluateAnnouncement: .evaluate
        case .evaluateDescription: .describe
        case .prepareTransport: .prepare
        case .startRecording: .record
        case .startPlaying: .play
        case .pause: .pause
        case .releaseTrack: .release
        case .endSession: .end
        case .close, .none: .nothing
        }
    }
}
