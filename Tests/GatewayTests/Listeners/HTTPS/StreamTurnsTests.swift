import GatewayTestSupport
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Gateway

struct StreamTurnsTests {
    /// A stream whose client stops receiving when `isTaken` is false.
    private final class Stream {
        let embedded = EmbeddedChannel()
        let router = FakeRouter()
        let reads = ReadCounter()

        init(_ turns: StreamTurns) throws {
            try embedded.pipeline.syncOperations.addHandlers([reads, StreamTurnHandler(turns: turns), router])
        }

        func ask(_ path: String) throws {
            for part in TestRequest.parts(path, body: ["a body"]) { try embedded.writeInbound(part) }
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

    private func streams(untaken count: Int) throws -> [Stream] {
        try (0..<count).map { number in
            let stream = try Stream(turns)
            try stream.ask("/\(number)")
            stream.isTaken = false
            return stream
        }
    }

    @Test func aRequestWaitsWhileTheClientHasAnswersToTake() throws {
        let slow = try streams(untaken: StreamTurns.maximumUntakenAnswers)
        #expect(slow.map(\.router.paths) == [["/0"], ["/1"], ["/2"], ["/3"]])
        let late = try (4..<6).map { number in
            let stream = try Stream(turns)
            try stream.ask("/\(number)")
            stream.embedded.read()
            return stream
        }
        #expect(late.map(\.router.paths) == [[], []] && late.map(\.reads.count) == [0, 0])
        slow[2].isTaken = true
        // They resume in the order of arrival. The first does not occupy a slot yet, so the second resumes, too.
        #expect(late.map(\.router.paths) == [["/4"], ["/5"]])
        #expect(late[0].router.bodies == ["a body"] && late[0].router.endCount == 1 && late[0].reads.count == 1)
    }

    /// The response is written synchronously while the request is passed on.
    @Test func anAnswerThatFillsTheRoomLetsNobodyElseIn() throws {
        let slow = try streams(untaken: StreamTurns.maximumUntakenAnswers)
        let late = try (0..<2).map { _ in try Stream(turns) }
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
        let slow = try streams(untaken: StreamTurns.maximumUntakenAnswers)
        let gone = try Stream(turns)
        try gone.ask("/gone")
        let late = try Stream(turns)
        try late.ask("/late")
        gone.embedded.pipeline.fireChannelInactive()
        slow[0].embedded.pipeline.fireChannelInactive()
        #expect(gone.router.paths.isEmpty && late.router.paths == ["/late"])
        // A stream that has already ended is not counted twice.
        slow[0].isTaken = true
        let other = try Stream(turns)
        late.isTaken = false
        try other.ask("/other")
        #expect(other.router.paths.isEmpty)
    }
}
