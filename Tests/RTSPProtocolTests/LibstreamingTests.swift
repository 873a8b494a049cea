import NIOCore
import TestSupport
import Testing

@testable import RTSPProtocol

/// The requests of libstreaming, through parser and state machine.
struct LibstreamingTests {
    static let url = "rtsp://192.168.1.10:1935/live/canalA.stream"
    private typealias Client = LibstreamingClient

    private static func logIn(_ client: inout LibstreamingClient, _ response: RTSPResponse, password: String) throws {
        let challenge = try #require(response.headers.values(of: "WWW-Authenticate").last)
        try client.logIn(user: "ana", password: password, challenge: challenge)
    }

    private static func readSession(_ client: inout LibstreamingClient, _ response: RTSPResponse) throws {
        try client.readSession(try #require(response.headers["Session"]))
    }

    /// The server's side: an owner that requests credentials if any are configured.
    struct Server {
        var parser = RTSPMessageParser()
        var machine = RTSPSessionStateMachine(now: start)
        var authenticator = RTSPAuthenticator()
        var credentials: [RTSPCredential] = []
        static let start = NIODeadline.uptimeNanoseconds(1)

        /// - Parameter pieceByteCount: of each read.
        mutating func receive(_ text: String, pieceByteCount: Int) throws -> [RTSPSessionAction] {
            var source = ByteBuffer(string: text)
            var pending = ByteBuffer()
            var actions: [RTSPSessionAction] = []
            while var piece = source.readSlice(length: min(pieceByteCount, source.readableBytes)),
                piece.readableBytes > 0
            {
                pending.writeBuffer(&piece)
                while let element = try parser.next(from: &pending) {
                    guard case .request(let request) = element else { continue }
                    actions.append(settle(machine.receive(request, now: Self.start)))
                }
            }
            #expect(pending.readableBytes == 0)
            return actions
        }

        private mutating func settle(_ action: RTSPSessionAction) -> RTSPSessionAction {
            switch action {
            case .evaluateAnnouncement(_, let authorization):
                return machine.announcementEvaluated(verdict(authorization), now: Self.start)
            case .prepareTransport(let request):
                var transport = request.offers[0]
                transport.serverPorts = RTSPPortPair(rtp: 20_000, rtcp: 20_001)
                return machine.transportPrepared(.success(transport), now: Self.start)
            case .startRecording: return machine.recordingEvaluated(.accepted, now: Self.start)
            default: return action
            }
        }

        private mutating func verdict(_ authorization: RTSPAuthorization) -> RTSPVerdict {
            guard !credentials.isEmpty else { return .accepted }
            let outcome = authenticator.authenticate(authorization, among: credentials, now: Self.start)
            if case .authenticated = outcome { return .accepted }
            return .refused(authenticator.refusal(after: outcome, now: Self.start))
        }

        mutating func response(to text: String, pieceByteCount: Int) throws -> RTSPResponse {
            let actions = try receive(text, pieceByteCount: pieceByteCount)
            try #require(actions.count == 1)
            return try #require(RTSPTestSession.response(actions[0]))
        }
    }

    @Test(arguments: [1, 7, 64, 100_000], [false, true])
    func publishesFromAnnounceToTeardown(pieceByteCount: Int, hasCredentials: Bool) throws {
        var client = Client(url: Self.url)
        var server = Server()
        if hasCredentials {
            server.credentials = [RTSPCredential(username: "ana", realm: "Antena", password: "sesame")]
        }
        var cSeq = 1
        let announced = try server.response(to: client.announce(cSeq), pieceByteCount: pieceByteCount)
        #expect(announced.status == (hasCredentials ? .unauthorized : .ok))
        // libstreaming reads the session ID from the first response, whatever it is, and uses it from then on.
        try Self.readSession(&client, announced)
        if hasCredentials {
            try Self.logIn(&client, announced, password: "sesame")
            cSeq += 1
            let again = try server.response(to: client.announce(cSeq), pieceByteCount: pieceByteCount)
            #expect(again.status == .ok)
        }
        for track in 0..<2 {
            cSeq += 1
            let setup = try server.response(
                to: client.setup(track: track, port: 5000 + 2 * track, cSeq), pieceByteCount: pieceByteCount)
            #expect(setup.status == .ok && setup.headers["CSeq"] == "\(cSeq)")
            let transport = try #require(setup.headers["Transport"])
            #expect(transport.contains("client_port=\(5000 + 2 * track)-\(5001 + 2 * track);"))
            #expect(client.serverPort(transport: transport) == 20_000)
        }
        cSeq += 1
        let record = try server.response(to: client.record(cSeq), pieceByteCount: pieceByteCount)
        #expect(record.status == .ok && record.headers["CSeq"] == nil)
        #expect(server.machine.isRecording)
        let end = try server.receive(client.teardown(cSeq + 1), pieceByteCount: pieceByteCount)
        #expect(end.map(RTSPTestSession.outcome) == [.end])
        #expect(!server.machine.isRecording)
    }

    @Test func aWrongPasswordIsRefusedAgain() throws {
        var client = Client(url: Self.url)
        var server = Server()
        server.credentials = [RTSPCredential(username: "ana", realm: "Antena", password: "sesame")]
        let first = try server.response(to: client.announce(1), pieceByteCount: 1_000)
        try Self.readSession(&client, first)
        try Self.logIn(&client, first, password: "guess")
        #expect(try server.response(to: client.announce(2), pieceByteCount: 1_000).status == .unauthorized)
        #expect(
            try server.response(to: client.setup(track: 0, port: 5000, 3), pieceByteCount: 1_000).status
                == .sessionNotFound)
    }

    /// libstreaming's pattern for the status line expects a word after the number, and its parser stops at a short
    /// line, so a refusal must have a reason phrase and no body.
    @Test func readsRefusals() throws {
        var server = Server()
        server.credentials = [RTSPCredential(username: "ana", realm: "Antena", password: "sesame")]
        let response = try server.response(to: Client(url: Self.url).announce(1), pieceByteCount: 1_000)
        var bytes = ByteBuffer()
        response.write(into: &bytes)
        let text = String(buffer: bytes)
        #expect(try /RTSP\/\d.\d (\d+) (\w+)/.firstMatch(in: text)?.1 == "401")
        #expect(text.hasSuffix("\r\n\r\n") && response.body.readableBytes == 0)
    }

    /// A blank line from another app, and a connection that ends without any blank line.
    @Test func bearsWithBlankLinesTooManyAndTooFew() throws {
        var server = Server()
        var client = Client(url: Self.url)
        try Self.readSession(&client, try server.response(to: "\r\n\n" + client.announce(1), pieceByteCount: 3))
        let setup = client.setup(track: 0, port: 5000, 2) + "\r\n\r\n\n"
        #expect(try server.response(to: setup, pieceByteCount: 5).status == .ok)
        let text = "TEARDOWN \(Self.url) RTSP/1.0\r\nCSeq: 5\r\nSession: \(client.session)\r\n"
        #expect(try server.receive(text, pieceByteCount: 1_000).isEmpty)
        var rest = ByteBuffer()
        let finished = server.parser.finish(with: &rest)
        let request = try #require(finished)
        #expect(RTSPTestSession.outcome(server.machine.receive(request, now: Server.start)) == .end)
    }

    @Test func anotherClientsTeardownGoesOnAfterItsAuthorization() throws {
        var parser = RTSPMessageParser()
        var buffer = ByteBuffer(
            string: "TEARDOWN rtsp://h/a RTSP/1.0\r\nSession: 1\r\nAuthorization: null\r\nCSeq: 9\r\n\r\n")
        guard case .request(let request) = try parser.next(from: &buffer) else {
            Issue.record("no request")
            return
        }
        #expect(request.cSeq == "9")
    }
}
