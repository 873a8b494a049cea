import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOPosix

@testable import Gateway

/// One response as it left the pipeline.
struct ReceivedAnswer {
    var head: HTTPResponse
    var body = ByteBuffer()
    var isComplete = false

    var status: Int { head.status.code }
    var text: String { String(buffer: body) }

    /// Assembles responses from their parts.
    static func answers(_ parts: [HTTPResponsePart]) -> [ReceivedAnswer] {
        parts.reduce(into: []) { answers, part in
            switch part {
            case .head(let head): answers.append(ReceivedAnswer(head: head))
            case .body(let bytes): answers[answers.count - 1].body.writeImmutableBuffer(bytes)
            case .end: answers[answers.count - 1].isComplete = true
            }
        }
    }
}

enum TestRequest {
    static func parts(
        _ path: String, method: HTTPRequest.Method = .get, fields: HTTPFields = [:], body: [String] = []
    ) -> [HTTPRequestPart] {
        let head = HTTPRequest(method: method, scheme: "http", authority: "host", path: path, headerFields: fields)
        return [.head(head)] + body.map { .body(ByteBuffer(string: $0)) } + [.end(nil)]
    }
}

/// Takes the router's place after the delivery handler: records requests, and answers when the test says so.
final class FakeRouter: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private(set) var paths: [String] = []
    private(set) var bodies: [String] = []
    private(set) var endCount = 0
    private(set) var events: [String] = []
    /// Called for each request head.
    var onHead: () -> Void = {}
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            paths.append(head.path ?? "")
            onHead()
        case .body(let bytes): bodies.append(String(buffer: bytes))
        case .end: endCount += 1
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { events.append("quiesce") }
        if event as? ChannelEvent == .inputClosed { events.append("inputClosed") }
    }

    func answer(_ text: String) {
        guard let context else { return }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok))), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(string: text))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func interimResponse() {
        context?.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
}

/// Takes the HTTP codec's place before the delivery handler: counts reads.
final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

/// One connection with a controllable clock, for responses that are served from memory.
final class DeliveryChannel {
    let embedded: EmbeddedChannel
    let router = FakeRouter()
    let reads = ReadCounter()

    /// - Parameter unsentByteCount: the number of bytes that the client has not received, for an HTTP/1.1 connection.
    init(_ delivery: MediaDelivery, unsentByteCount: (@Sendable (any Channel) -> Int?)? = nil) throws {
        embedded = EmbeddedChannel()
        // Playlists bypass the codec, whose presence identifies the connection as HTTP/1.1.
        if unsentByteCount != nil { try embedded.pipeline.syncOperations.addHandler(HTTPResponseEncoder()) }
        let handler = MediaDeliveryHandler(delivery: delivery, unsentByteCount: unsentByteCount ?? { _ in nil })
        try embedded.pipeline.syncOperations.addHandlers([reads, handler, router])
        try embedded.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).wait()
    }

    func send(_ parts: [HTTPRequestPart]) throws {
        for part in parts { try embedded.writeInbound(part) }
    }

    /// The responses written since the last call.
    func answers() throws -> [ReceivedAnswer] {
        var parts: [HTTPResponsePart] = []
        while let part = try embedded.readOutbound(as: HTTPResponsePart.self) { parts.append(part) }
        return ReceivedAnswer.answers(parts)
    }
}

extension MediaDelivery {
    /// A delivery that serves from memory and needs no threads.
    static func forMemory(_ publisher: RadioPublisher) -> MediaDelivery {
        MediaDelivery(
            channels: publisher.directory, titles: FakeTitles(), threadPool: NIOThreadPool(numberOfThreads: 1),
            budget: DeliveryBudget(),
            clock: publisher.clock)
    }
}
