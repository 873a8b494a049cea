import NIOCore
import SessionDescription
import Testing

@testable import RTSPProtocol

/// The reader's side of a session, with servers that keep to the RFC and others.
struct RTSPPlayingStateMachineTests {
    private static let description = """
        v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=camera\r\nt=0 0\r\na=control:*\r\n\
        m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:track1\r\n
        """

    private static func answer(
        _ request: RTSPRequest, _ status: RTSPStatus = .ok, _ headers: RTSPHeaders = [:], body: String = ""
    ) -> RTSPResponse {
        var response = RTSPResponse(to: request, status, headers: headers)
        response.body = ByteBuffer(string: body)
        return response
    }

    private static func request(_ step: RTSPPlayingStateMachine.Step) throws -> RTSPRequest {
        guard case .send(let request) = step else { throw CancellationError() }
        return request
    }

    /// A session that plays.
    private static func playing(
        methods: String = "OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, TEARDOWN", server: String? = nil
    ) throws -> RTSPPlayingStateMachine {
        var machine = RTSPPlayingStateMachine(url: "rtsp://192.0.2.1:554/live", authenticator: nil)
        var headers: RTSPHeaders = ["Public": methods]
        if let server { headers["Server"] = server }
        let describe = try request(machine.receive(answer(machine.start(), .ok, headers)))
        #expect(describe.method == .describe)
        guard case .described(let session) = machine.receive(answer(describe, body: description)) else {
            throw CancellationError()
        }
        #expect(session.media.count == 1)
        var transport = RTSPTransport(lowerTransport: .tcp)
        transport.interleavedChannels = RTSPChannelPair(rtp: 0, rtcp: 1)
        let wanted = machine.setUp([.init(index: 0, transport: transport)])
        let setUp = try #require(wanted)
        #expect(setUp.uri == "rtsp://192.0.2.1:554/live/track1")
        let step = machine.receive(
            answer(setUp, .ok, ["Session": "9;timeout=30", "Transport": "RTP/AVP/TCP;interleaved=0-1"]))
        guard case .prepared(0, _, let play) = step, case .playing = machine.receive(answer(play)) else {
            throw CancellationError()
        }
        #expect(machine.timeoutSeconds == 30)
        return machine
    }

    private static func method(_ request: RTSPRequest?) -> RTSPMethod? { request?.method }

    @Test func sessionsAreKeptAliveByWhatTheServerLists() throws {
        for (methods, expected) in [("GET_PARAMETER, OPTIONS", RTSPMethod.getParameter), ("OPTIONS", .options)] {
            var machine = try Self.playing(methods: methods)
            let first = machine.keepAlive()
            let sent = try #require(first)
            #expect(sent.method == expected && sent.headers["Session"] == "9")
            guard case .alive = machine.receive(Self.answer(sent)) else { throw CancellationError() }
            #expect(Self.method(machine.keepAlive()) == expected)
        }
    }

    @Test func hipcamCamerasAreKeptAliveByOptions() throws {
        var machine = try Self.playing(server: "Hipcam RealServer/V1.0")
        #expect(Self.method(machine.keepAlive()) == .options)
    }

    /// Without this, no further request would be sent, and the camera would end the session.
    @Test func aKeepAliveThatIsNotAnsweredIsFollowedByOptions() throws {
        var machine = try Self.playing()
        let first = machine.keepAlive()
        let unanswered = try #require(first)
        let next = machine.keepAlive()
        let sent = try #require(next)
        #expect(unanswered.method == .getParameter && sent.method == .options)
        // An answer that comes too late belongs to nothing.
        guard case .none = machine.receive(Self.answer(unanswered, .sessionNotFound)) else {
            throw CancellationError()
        }
        guard case .alive = machine.receive(Self.answer(sent)) else { throw CancellationError() }
        #expect(Self.method(machine.keepAlive()) == .options)
    }

    @Test func aKeepAliveThatIsRefusedIsFollowedByOptions() throws {
        var machine = try Self.playing()
        let first = machine.keepAlive()
        let refused = try #require(first)
        guard case .alive = machine.receive(Self.answer(refused, .badRequest)) else { throw CancellationError() }
        #expect(Self.method(machine.keepAlive()) == .options)
    }

    @Test func aSessionIsLostOnlyIfOptionsSaysSo() throws {
        var machine = try Self.playing()
        let first = machine.keepAlive()
        let asked = try #require(first)
        let again = try Self.request(machine.receive(Self.answer(asked, .sessionNotFound)))
        #expect(again.method == .options)
        guard case .failed(let failure) = machine.receive(Self.answer(again, .sessionNotFound)) else {
            throw CancellationError()
        }
        #expect(failure.code == .sessionLost && !machine.isPlaying)
    }
}
