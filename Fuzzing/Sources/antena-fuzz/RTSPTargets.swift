import NIOCore
import RTSPProtocol
import SessionDescription

extension FuzzTarget {
    static let rtspTargets = [
        FuzzTarget(name: "rtsp-messages", seeds: conversations.map { InputSplitter.join([Array($0.utf8)]) }) { bytes in
            var input = InputSplitter(bytes)
            var parser = RTSPMessageParser()
            var buffer = ByteBuffer()
            while let piece = input.next() {
                buffer.writeBytes(piece)
                do {
                    while try parser.next(from: &buffer) != nil {}
                } catch {
                    return
                }
            }
        },
        FuzzTarget(name: "rtsp-session", seeds: conversations.map { InputSplitter.join([Array($0.utf8)]) }) { bytes in
            var session = FuzzedSession()
            var input = InputSplitter(bytes)
            while let piece = input.next() { session.receive(piece) }
        },
        FuzzTarget(name: "rtsp-client", seeds: [InputSplitter.join(answers.map { Array($0.utf8) })]) { bytes in
            var input = InputSplitter(bytes)
            var parser = RTSPMessageParser()
            var machine = RTSPPlayingStateMachine(
                url: "rtsp://a/b", authenticator: RTSPClientAuthenticator(username: "a", password: "b"))
            _ = machine.start()
            var buffer = ByteBuffer()
            while let piece = input.next() {
                buffer.writeBytes(piece)
                while let element = try? parser.next(from: &buffer) {
                    guard case .response(let response) = element else { continue }
                    guard case .described(let session) = machine.receive(response) else { continue }
                    let tracks = session.media.indices.prefix(4).map {
                        RTSPPlayingStateMachine.WantedTrack(index: $0, transport: .init(lowerTransport: .tcp))
                    }
                    _ = machine.setUp(tracks)
                }
                _ = machine.keepAlive()
            }
            _ = machine.teardown()
        },
        FuzzTarget(name: "sdp", seeds: descriptions.map { Array($0.utf8) }) { bytes in
            guard let session = try? SDPSession(parsing: bytes) else { return }
            // What was understood once is understood again.
            guard (try? SDPSession(parsing: Array(session.rendered.utf8))) != nil else {
                fatalError("a rendered description cannot be parsed: \(session.rendered)")
            }
        },
    ]

    static let descriptions = [
        """
        v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n\
        a=fmtp:96 packetization-mode=1; sprop-parameter-sets=Z0LAHtkBQHsg,aMuMsg==\r\na=control:trackID=1\r\n\
        m=audio 0 RTP/AVP 97\r\na=rtpmap:97 MPEG4-GENERIC/48000/2\r\n\
        a=fmtp:97 mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190\r\na=control:trackID=2\r\n
        """,
        "v=0\nm=audio 5004 RTP/AVP 0 8\nb=AS:64\na=recvonly\n", "v=0\r\nm=application 0 RTP/AVP 98\r\n",
    ]

    /// The answers of a camera.
    static let answers = [
        "RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n\r\n",
        "RTSP/1.0 200 OK\r\nCSeq: 2\r\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER\r\n\r\n",
        "RTSP/1.0 200 OK\r\nCSeq: 3\r\nContent-Base: rtsp://a/b/\r\nContent-Type: application/sdp\r\n"
            + "Content-Length: \(descriptions[0].utf8.count)\r\n\r\n\(descriptions[0])",
        "RTSP/1.0 200 OK\r\nCSeq: 4\r\nSession: 1;timeout=60\r\n"
            + "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n",
        "RTSP/1.0 200 OK\r\nCSeq: 5\r\nSession: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=2-3\r\n\r\n",
        "RTSP/1.0 200 OK\r\nCSeq: 6\r\nSession: 1\r\n\r\n",
    ]

    static let conversations: [String] = {
        let url = "rtsp://127.0.0.1:1935/live/canalA.stream"
        let sdp = descriptions[0]
        return [
            "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n",
            "ANNOUNCE \(url)?preset=high RTSP/1.0\r\nCSeq: 1\r\nContent-Type: application/sdp \r\n"
                + "Content-Length: \(sdp.utf8.count)\r\nAuthorization: null\r\n\r\n\(sdp)"
                + "SETUP \(url)/trackID=1 RTSP/1.0\r\nCSeq: 2\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1;mode=record\r\n\r\n"
                + "RECORD \(url) RTSP/1.0\r\nRange: npt=0.000-CSeq: 3\r\n\r\n$\u{0}\u{0}\u{4}abcd"
                + "PAUSE \(url) RTSP/1.0\r\nCSeq: 4\r\n\r\nTEARDOWN \(url) RTSP/1.0\r\nCSeq: 5\r\n\r\n",
            "DESCRIBE \(url) RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n"
                + "SETUP \(url)/trackID=0 RTSP/1.0\r\nCSeq: 2\r\nTransport: RTP/AVP;unicast;client_port=5000-5001\r\n\r\n"
                + "PLAY \(url) RTSP/1.0\r\nCSeq: 3\r\nRange: npt=1.5-9\r\n\r\n",
            "ANNOUNCE \(url) RTSP/1.0\r\nCSeq: 2\r\nContent-Length: 5\r\n"
                + "Authorization: Digest username=\"a\", realm=\"Antena\", nonce=\"0\", uri=\"\(url)\", response=\"0\"\r\n\r\nv=0\r\n",
            "GET_PARAMETER * RTSP/1.0\r\nCSeq: 7\r\nAuthorization: Basic YW5hOnNlY3JldG8=\r\nRequire: x\r\n\r\n",
            "RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 2\r\n\r\nok",
        ]
    }()
}

/// A session that is granted everything that it asks for.
private struct FuzzedSession {
    private var parser = RTSPMessageParser()
    private var buffer = ByteBuffer()
    private var machine = RTSPSessionStateMachine(now: .uptimeNanoseconds(1)) { "1234567890" }
    private var authenticator = RTSPAuthenticator(policy: RTSPAuthenticationPolicy()) { "abcdef" }
    private var now = NIODeadline.uptimeNanoseconds(1)
    private static let credentials = [RTSPCredential(username: "ana", realm: "Antena", password: "secreto")]

    mutating func receive(_ bytes: [UInt8]) {
        buffer.writeBytes(bytes)
        now = now + .seconds(1)
        do {
            while let element = try parser.next(from: &buffer) {
                if case .request(let request) = element { carryOut(machine.receive(request, now: now)) }
            }
        } catch {
            carryOut(machine.parsingFailed(error))
        }
        carryOut(machine.deadlineReached(now: now))
    }

    private mutating func carryOut(_ first: RTSPSessionAction) {
        var action = first
        // Every verdict leads to an answer: nothing here goes on for ever.
        for _ in 0..<8 {
            switch action {
            case .evaluateAnnouncement(_, let authorization):
                let outcome = authenticator.authenticate(authorization, among: Self.credentials, now: now)
                if case .rejected = outcome {
                    action = machine.announcementEvaluated(
                        .refused(authenticator.refusal(after: outcome, now: now)), now: now)
                } else {
                    action = machine.announcementEvaluated(.accepted, now: now)
                }
            case .evaluateDescription:
                guard let session = try? SDPSession(parsing: Array(FuzzTarget.descriptions[0].utf8)) else { return }
                action = machine.descriptionEvaluated(.success(session), now: now)
            case .prepareTransport(let request):
                action = machine.transportPrepared(.success(request.offers[0]), now: now)
            case .startRecording: action = machine.recordingEvaluated(.accepted, now: now)
            case .startPlaying:
                action = machine.playingEvaluated(
                    .success(RTSPPlayback(range: RTSPRange(start: .now), streams: [])), now: now)
            case .reply(let response), .pause(let response), .releaseTrack(_, let response),
                .endSession(let response, _), .replyAndClose(let response, _):
                var output = ByteBuffer()
                response.write(into: &output)
                // One status line and one blank line: nothing that a peer sent splits an answer.
                let text = String(buffer: output)
                precondition(text.hasPrefix("RTSP/1.0 "), "an answer begins with a status line")
                return
            case .close, .none: return
            }
        }
        fatalError("a verdict leads to another question each time")
    }
}
