import NIOCore
import SessionDescription
import Testing

@testable import RTSPProtocol

struct RTSPPublishingStateMachineTests {
    private static let url = "rtsp://h:8554/live/canalA.stream?preset=low"

    private static func machine(
        trackCount: Int = 2, transport: RTSPTransport.LowerTransport = .tcp, password: String? = nil
    ) -> RTSPPublishingStateMachine {
        let media = (0..<trackCount).map {
            SDPMediaDescription(
                mediaType: "video", formats: ["96"], attributes: [SDPAttribute("control", "trackID=\($0)")])
        }
        let transports = (0..<trackCount).map { index in
            var offer = RTSPTransport(lowerTransport: transport)
            let number = UInt8(2 * index)
            if transport == .tcp { offer.interleavedChannels = RTSPChannelPair(rtp: number, rtcp: number + 1) }
            if transport == .udp { offer.clientPorts = RTSPPortPair(rtp: 5_000, rtcp: 5_001) }
            offer.mode = "record"
            return offer
        }
        return RTSPPublishingStateMachine(
            .init(url: url, description: SDPSession(media: media), transports: transports),
            authenticator: password.map { RTSPClientAuthenticator(username: "ana", password: $0) })
    }

    private static func answer(
        _ request: RTSPRequest, _ status: RTSPStatus = .ok, _ headers: RTSPHeaders = [:]
    ) -> RTSPResponse { RTSPResponse(to: request, status, headers: headers) }

    private func request(_ step: RTSPPublishingStateMachine.Step) throws -> RTSPRequest {
        guard case .send(let request) = step else {
            Issue.record("\(step)")
            throw CancellationError()
        }
        return request
    }

    /// Runs a push up to the response to RECORD.
    private func record(_ machine: inout RTSPPublishingStateMachine, trackCount: Int = 2) throws -> RTSPRequest {
        var sent = machine.start()
        sent = try request(
            machine.receive(Self.answer(sent, .ok, ["Public": "OPTIONS, ANNOUNCE, SETUP, RECORD, GET_PARAMETER"])))
        #expect(sent.method == .announce && sent.headers["Content-Type"] == "application/sdp")
        sent = try request(machine.receive(Self.answer(sent)))
        for track in 0..<trackCount {
            #expect(sent.method == .setup && sent.uri == "\(Self.url)/trackID=\(track)")
            let session = RTSPHeaders(
                dictionaryLiteral: ("Session", "42;timeout=30"), ("Transport", sent.headers["Transport"] ?? ""))
            sent = try request(machine.receive(Self.answer(sent, .ok, session)))
            #expect(sent.headers["Session"] == "42")
        }
        #expect(sent.method == .record)
        return sent
    }

    @Test func aPushGoesItsWay() throws {
        var machine = Self.machine()
        let sent = try record(&machine)
        guard case .recording(let session) = machine.receive(Self.answer(sent)) else {
            Issue.record("not recording")
            return
        }
        #expect(session.id == "42" && session.timeout == 30 && machine.isRecording)
        #expect(session.transports.map(\.interleavedChannels?.rtp) == [0, 2])

        let kept = machine.keepAlive()
        let question = try #require(kept)
        let second = machine.keepAlive()
        #expect(question.method == .getParameter && second == nil, "one is out")
        let alive = machine.receive(Self.answer(question))
        #expect(alive == .alive)
        let goodbye = machine.teardown()
        let last = try #require(goodbye)
        #expect(last.method == .teardown && last.headers["Session"] == "42")
        let end = machine.receive(Self.answer(last))
        #expect(end == .ended)
    }

    @Test func sequenceNumbersGrowAndOthersAnswersAreLeftAlone() throws {
        var machine = Self.machine()
        let first = machine.start()
        #expect(first.cSeq == "1")
        let foreign = machine.receive(RTSPResponse(status: .ok, headers: ["CSeq": "7"]))
        let interim = machine.receive(RTSPResponse(status: RTSPStatus(100, "Continue"), headers: ["CSeq": "1"]))
        #expect(foreign == .none && interim == .none)
        let next = try request(machine.receive(RTSPResponse(status: .ok)))
        #expect(next.cSeq == "2", "some servers leave it out")
        let late = machine.receive(RTSPResponse(status: .ok, headers: ["CSeq": "1"]))
        #expect(late == .none)
    }

    @Test func credentialsAreSentWhenTheyAreAskedFor() throws {
        var machine = Self.machine(password: "sesame")
        var sent = try request(machine.receive(Self.answer(machine.start())))
        #expect(sent.headers["Authorization"] == nil)
        let challenge = RTSPHeaders(dictionaryLiteral: ("WWW-Authenticate", "Digest realm=\"x\", nonce=\"1\""))
        sent = try request(machine.receive(Self.answer(sent, .unauthorized, challenge)))
        #expect(sent.method == .announce && sent.headers["Authorization"]?.hasPrefix("Digest") == true)
        #expect(sent.body.readableBytes > 0)
        let step = machine.receive(Self.answer(sent, .unauthorized, challenge))
        guard case .failed(let failure) = step else { throw CancellationError() }
        #expect(failure.code == .credentialsRejected && !failure.isTemporary)
    }

    @Test func withoutCredentialsThePersonIsAsked() throws {
        var machine = Self.machine()
        let sent = try request(machine.receive(Self.answer(machine.start())))
        let step = machine.receive(Self.answer(sent, .unauthorized, ["WWW-Authenticate": "Basic realm=\"x\""]))
        guard case .failed(let failure) = step else { throw CancellationError() }
        #expect(failure.code == .credentialsMissing)
    }

    @Test(arguments: [
        (404, RTSPPublishingFailure.Code.notFound, false), (453, .busy, true), (415, .mediaRefused, false),
        (403, .forbidden, false), (461, .transportRefused, false), (503, .refused, true), (302, .redirected, false),
        (405, .recordingUnsupported, false),
    ])
    func refusalsAreToldApart(_ status: Int, _ code: RTSPPublishingFailure.Code, _ isTemporary: Bool) throws {
        var machine = Self.machine()
        let sent = try request(machine.receive(Self.answer(machine.start())))
        guard case .failed(let failure) = machine.receive(Self.answer(sent, RTSPStatus(status, "Because"))) else {
            throw CancellationError()
        }
        #expect(failure.code == code && failure.isTemporary == isTemporary)
        #expect(failure.reason.contains("Because"))
    }

    @Test func aServerThatOnlyPlaysIsTold() throws {
        var machine = Self.machine()
        let step = machine.receive(Self.answer(machine.start(), .ok, ["Public": "OPTIONS, DESCRIBE, PLAY"]))
        guard case .failed(let failure) = step else { throw CancellationError() }
        #expect(failure.code == .recordingUnsupported)
    }

    @Test func anOldServerWithoutOptionsIsTriedAllTheSame() throws {
        var machine = Self.machine()
        let next = try request(machine.receive(Self.answer(machine.start(), .notImplemented)))
        #expect(next.method == .announce)
    }

    @Test func overUDPTheServerHasToNameItsPorts() throws {
        for (header, isTaken) in [
            ("RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001", true), ("RTP/AVP;unicast", false),
            ("RTP/AVP/TCP;interleaved=0-1", false), ("nonsense", false),
        ] {
            var machine = Self.machine(trackCount: 1, transport: .udp)
            var sent = try request(machine.receive(Self.answer(machine.start())))
            sent = try request(machine.receive(Self.answer(sent)))
            let step = machine.receive(Self.answer(sent, .ok, ["Session": "1", "Transport": header]))
            if case .send(let next) = step { #expect(next.method == .record && isTaken) } else { #expect(!isTaken) }
        }
    }

    @Test func aSessionThatHasGoneEndsThePush() throws {
        var machine = Self.machine(trackCount: 1)
        let sent = try record(&machine, trackCount: 1)
        _ = machine.receive(Self.answer(sent))
        let kept = machine.keepAlive()
        let question = try #require(kept)
        let alive = machine.receive(Self.answer(question, .parameterNotUnderstood))
        #expect(alive == .alive)
        let keptAgain = machine.keepAlive()
        let again = try #require(keptAgain)
        guard case .failed(let failure) = machine.receive(Self.answer(again, .sessionNotFound)) else {
            throw CancellationError()
        }
        #expect(failure.code == .sessionLost && failure.isTemporary)
    }
}
