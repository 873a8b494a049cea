import NIOCore
import SessionDescription
import Testing

@testable import RTSPProtocol

struct CapturedConversationTests {
    static let credentials = [RTSPCredential(username: "ana", realm: "Antena", password: "sesame")]
    static let start = NIODeadline.uptimeNanoseconds(1)

    /// Replays bytes, requests credentials, and collects the responses.
    struct Replay {
        var parser = RTSPMessageParser()
        var machine: RTSPSessionStateMachine
        var authenticator: RTSPAuthenticator
        var responses: [RTSPResponse] = []
        /// Tracks in the order in which they were set up.
        var tracks: [Int] = []

        init(_ conversation: CapturedConversation) {
            machine = RTSPSessionStateMachine(now: start, makeSessionID: { conversation.sessionID })
            authenticator = RTSPAuthenticator(makeNonce: { conversation.nonce })
        }

        mutating func receive(_ bytes: inout ByteBuffer) throws {
            while let element = try parser.next(from: &bytes) {
                guard case .request(let request) = element else { continue }
                let action = settle(machine.receive(request, now: start))
                responses.append(try #require(RTSPTestSession.response(action)))
            }
        }

        private mutating func settle(_ action: RTSPSessionAction) -> RTSPSessionAction {
            switch action {
            case .evaluateAnnouncement(_, let authorization):
                let refusal = refusal(of: authorization)
                return machine.announcementEvaluated(refusal.map(RTSPVerdict.refused) ?? .accepted, now: start)
            case .evaluateDescription(_, let authorization):
                let refusal = refusal(of: authorization)
                return settle(
                    machine.descriptionEvaluated(
                        refusal.map { .failure($0) } ?? .success(RTSPTestSession.description), now: start))
            case .prepareTransport(let request):
                tracks.append(request.trackIndex)
                return machine.transportPrepared(.success(request.offers[0]), now: start)
            default: return RTSPTestSession.settle(action, in: &machine)
            }
        }

        private mutating func refusal(of authorization: RTSPAuthorization) -> RTSPRefusal? {
            let outcome = authenticator.authenticate(authorization, among: credentials, now: start)
            if case .authenticated = outcome { return nil }
            return authenticator.refusal(after: outcome, now: start)
        }
    }

    @Test(arguments: CapturedConversation.all.indices, [1, 100, 100_000])
    func eachRequestIsAnsweredAsItsClientHopes(index: Int, pieceByteCount: Int) throws {
        let conversation = CapturedConversation.all[index]
        var replay = Replay(conversation)
        let text = conversation.requests.joined().replacing("\n", with: "\r\n")
        var source = ByteBuffer(string: text)
        var pending = ByteBuffer()
        while var piece = source.readSlice(length: min(pieceByteCount, source.readableBytes)), piece.readableBytes > 0 {
            pending.writeBuffer(&piece)
            try replay.receive(&pending)
        }
        // OPTIONS, the first of two ANNOUNCEs or DESCRIBEs, and all later requests.
        let codes = replay.responses.map(\.status.code)
        #expect(codes == [200, 401] + Array(repeating: 200, count: conversation.requests.count - 2))
        #expect(replay.tracks == [0, 1])
        #expect(replay.responses.indices.allSatisfy { replay.responses[$0].headers["CSeq"] == "\($0 + 1)" })
    }

    /// Other line ends and spellings of headers, as hand-written clients use them, do not change the result.
    @Test(arguments: CapturedConversation.all.indices) func lineEndsAndCaseDoNotMatter(index: Int) throws {
        let conversation = CapturedConversation.all[index]
        var replay = Replay(conversation)
        for request in conversation.requests {
            let parts = request.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
            let head = parts[0].split(separator: "\n").enumerated().map { number, line in
                guard number > 0, let colon = line.firstIndex(of: ":") else { return String(line) }
                return line[..<colon].uppercased() + line[colon...]
            }
            let body = (parts.count > 1 ? String(parts[1]) : "").replacing("\n", with: "\r\n")
            var bytes = ByteBuffer(string: "\n" + head.joined(separator: "\n") + "\n\n" + body)
            try replay.receive(&bytes)
        }
        #expect(replay.responses.map(\.status.code).filter { $0 != 200 } == [401])
    }

    /// Any byte of a conversation may be changed: responses may differ, but nothing traps, and buffered data is
    /// bounded.
    @Test(arguments: CapturedConversation.all.indices) func damagedRequestsDoNoHarm(index: Int) {
        let conversation = CapturedConversation.all[index]
        let bytes = Array(conversation.requests.joined().replacing("\n", with: "\r\n").utf8)
        var generator = SplitMix(state: UInt64(index) + 1)
        for _ in 0..<100 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let position = Int.random(in: damaged.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged[position] = UInt8.random(in: 0...255, using: &generator)
                case 1: damaged.remove(at: position)
                default: damaged.insert(contentsOf: [0x22, 0x0D, 0x3D, 0x2C].shuffled(using: &generator), at: position)
                }
            }
            var replay = Replay(conversation)
            var buffer = ByteBuffer(bytes: damaged)
            do { try replay.receive(&buffer) } catch let error as RTSPParsingError {
                #expect(RTSPTestSession.outcome(replay.machine.parsingFailed(error)) != .nothing)
            } catch {
                // A closed machine does not respond.
                #expect(replay.machine.isClosed)
            }
        }
    }

    /// SplitMix64 (Steele, Lea and Flood), which returns the same sequence every time.
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
