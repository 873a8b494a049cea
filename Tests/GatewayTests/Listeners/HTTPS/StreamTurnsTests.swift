import GatewayTestSupport
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import NIOHTTPTypesHTTP2
import Testing

@testable import Gateway

struct StreamTurnsTests {
    /// A stream whose client stops receiving when `isTaken` is false.
    private final class Stream {
        let embedded = EmbeddedChannel()
        let router = FakeRouter()
        let reads = ReadCounter()

        init(_ turns: StreamTurns, _ account: RequestAccount, limits: HTTPRequestLimits = HTTPRequestLimits()) throws {
            let pipeline = embedded.pipeline.syncOperations
            let router = router
            let handler = StreamTurnHandler(
                turns: turns, limits: limits, account: account,
                asksForMedia: { $0.first(name: ":path")?.hasPrefix("/live/") == true },
                start: { try pipeline.addHandlers([HTTP2FramePayloadToHTTPServerCodec(), router]) })
            try pipeline.addHandlers([reads, handler])
        }

        func ask(_ path: String, fields: [(String, String)] = [], body: String? = "a body") throws {
            let head = HPACKHeaders(
                [(":method", "POST"), (":scheme", "https"), (":authority", "h"), (":path", path)] + fields)
            try embedded.writeInbound(
                HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: body == nil)))
            if let body {
                try embedded.writeInbound(
                    HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)))
            }
        }

        func answers() throws -> [HTTP2Frame.FramePayload] {
            var answers: [HTTP2Frame.FramePayload] = []
            while let answer = try embedded.readOutbound(as: HTTP2Frame.FramePayload.self) { answers.append(answer) }
            return answers
        }

        var isTaken: Bool {
            get { embedded.isWritable }
            set {
                embedded.isWritable = newValue
                embedded.pipeline.fireChannelWritabilityChanged()
            }
        }
    }

    private let turns = StreamTurns()
    private let budget = RequestBudget()
    private let account: RequestAccount

    init() { account = budget.account(of: AddressGroup(nil)) {} }

    private func stream() throws -> Stream { try Stream(turns, account) }

    private func untaken(_ count: Int) throws -> [Stream] {
        try (0..<count).map { number in
            let stream = try stream()
            try stream.ask("/live/\(number)")
            stream.isTaken = false
            return stream
        }
    }

    @Test func aRequestWaitsWhileTheClientHasAnswersToTake() throws {
        let slow = try untaken(StreamTurns.maximumUntakenAnswers)
        #expect(slow.map(\.router.paths) == [["/live/0"], ["/live/1"], ["/live/2"], ["/live/3"]])
        let late = try ["/4", "/live/5"].map { path in
            let stream = try stream()
            try stream.ask(path)
            stream.embedded.read()
            return stream
        }
        #expect(late.map(\.router.paths) == [[], []] && late.map(\.reads.count) == [0, 0])
        #expect(budget.byteCount > 2 * RequestCost.bodyWindow, "what waits is counted")
        slow[2].isTaken = true
        // They resume in the order of arrival. The first has no answer to take yet, so the second resumes, too.
        #expect(late.map(\.router.paths) == [["/4"], ["/live/5"]])
        #expect(late[0].router.bodies == ["a body"] && late[0].router.endCount == 1 && late[0].reads.count == 1)
        #expect(budget.byteCount == 0)
    }

    /// A hundred requests may arrive before the first answer is made.
    @Test func aTurnBeginsWithTheRequest() throws {
        let asked = try (0..<100).map { number in
            let stream = try stream()
            try stream.ask("/\(number)", body: nil)
            return stream
        }
        func started() -> Int { asked.count { !$0.router.paths.isEmpty } }
        #expect(started() == StreamTurns.maximumRouterTurns)
        // Requests for media, which may have to wait for the next part, are not held up by them.
        let media = try stream()
        try media.ask("/live/a")
        #expect(media.router.paths == ["/live/a"])
        asked[3].router.answer("short")
        #expect(started() == StreamTurns.maximumRouterTurns + 1)
        // An answer that nobody takes keeps its turn.
        asked[4].isTaken = false
        asked[4].router.answer("long")
        #expect(started() == StreamTurns.maximumRouterTurns + 1)
        asked[4].isTaken = true
        #expect(started() == StreamTurns.maximumRouterTurns + 2)
    }

    /// The handler of a request waits for its end, and a client that has its answer may never send it.
    @Test(arguments: [true, false]) func aClientWithItsAnswerNeedNotSendTheRest(isComplete: Bool) throws {
        let stream = try stream()
        let head = HPACKHeaders([(":method", "POST"), (":scheme", "https"), (":authority", "h"), (":path", "/a")])
        try stream.embedded.writeInbound(
            HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: isComplete)))
        stream.router.answer("enough")
        stream.embedded.embeddedEventLoop.run()
        let resets = try stream.answers().count { payload in
            if case .rstStream(.noError) = payload { true } else { false }
        }
        #expect(resets == (isComplete ? 0 : 1))
    }

    /// Nothing is made for a request that would be refused because of its body.
    @Test func aRequestWithoutRoomForItsBodyIsNotStarted() throws {
        let budget = RequestBudget(limits: .init(connectionByteCount: RequestCost.bodyWindow))
        let account = budget.account(of: AddressGroup(nil)) {}
        let (refused, started) = (try Stream(turns, account), try Stream(turns, account))
        try refused.ask("/body")
        #expect(refused.router.paths.isEmpty && budget.byteCount == 0)
        guard case .rstStream(.refusedStream)? = try refused.answers().first else {
            return #expect(Bool(false), "the stream is reset")
        }
        try started.ask("/none", body: nil)
        #expect(started.router.paths == ["/none"])
    }

    /// The response is written synchronously while the request is passed on.
    @Test func anAnswerThatFillsTheRoomLetsNobodyElseIn() throws {
        let slow = try untaken(StreamTurns.maximumUntakenAnswers)
        let late = try (0..<2).map { _ in try stream() }
        for stream in late {
            stream.router.onHead = { [weak stream] in stream?.isTaken = false }
            try stream.ask("/late")
        }
        slow[0].isTaken = true
        #expect(late.map(\.router.paths) == [["/late"], []])
        slow[1].isTaken = true
        #expect(late.map(\.router.paths) == [["/late"], ["/late"]])
    }

    @Test func aStreamThatEndsMakesRoom() throws {
        let slow = try untaken(StreamTurns.maximumUntakenAnswers)
        let gone = try stream()
        try gone.ask("/gone")
        let late = try stream()
        try late.ask("/late")
        gone.embedded.pipeline.fireChannelInactive()
        slow[0].embedded.pipeline.fireChannelInactive()
        #expect(gone.router.paths.isEmpty && late.router.paths == ["/late"])
        // A stream that has already ended is not counted twice.
        slow[0].isTaken = true
        let other = try stream()
        late.isTaken = false
        try other.ask("/other")
        #expect(other.router.paths.isEmpty)
    }

    @Test func whatWaitsIsBounded() throws {
        _ = try untaken(StreamTurns.maximumUntakenAnswers)
        var (waiting, refused) = (0, 0)
        for _ in 0..<96 {
            let stream = try stream()
            try stream.ask("/waits")
            let isRefused = try stream.answers().contains { answer in
                if case .rstStream(.refusedStream) = answer { true } else { false }
            }
            if isRefused { refused += 1 } else { waiting += 1 }
        }
        #expect(refused > 0 && waiting >= 20)
        #expect(budget.byteCount <= budget.limits.connectionByteCount)
    }
}
