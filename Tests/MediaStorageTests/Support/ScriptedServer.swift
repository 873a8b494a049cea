import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP server on a loopback port that answers as a test says.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        var method: String
        /// Path and query.
        var uri: String
        var headers: HTTPHeaders
        var body: [UInt8]

        var text: String { "\(method) \(uri)" }
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [(String, String)] = []
        var body: [UInt8] = []
        /// The connection is closed after this many bytes of the body.
        var cutAfter: Int?
        /// After the body, bytes follow one by one, so that the headers must name a greater length.
        var trickles = false
        /// Nothing is answered at all.
        var isSilent = false

        static func xml(_ text: String, status: Int = 200) -> Answer { Answer(status: status, body: Array(text.utf8)) }

        static func error(_ status: Int, _ code: String, _ headers: [(String, String)] = []) -> Answer {
            Answer(
                status: status, headers: headers, body: Array("<Error><Code>\(code)</Code></Error>".utf8))
        }
    }

    private let group = MultiThreadedEventLoopGroup.singleton
    private let channel: any Channel
    private let log: Log

    private final class Log: Sendable {
        let requests = Mutex<[Request]>([])
        let answer: @Sendable (_ request: Request, _ number: Int) -> Answer

        init(_ answer: @escaping @Sendable (Request, Int) -> Answer) { self.answer = answer }

        func answer(to request: Request) -> Answer {
            let number = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            return answer(request, number)
        }
    }

    /// - Parameter answer: Gets the request and its number, which begins with 1.
    init(_ answer: @escaping @Sendable (_ request: Request, _ number: Int) -> Answer) async throws {
        let log = Log(answer)
        self.log = log
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var port: Int { channel.localAddress?.port ?? 0 }
    var requests: [Request] { log.requests.withLock { $0 } }

    func shutDown() async throws { try await channel.close() }

    /// Answers when a request is complete.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let log: Log
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ log: Log) { self.log = log }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, [])
            case .body(let part): body += part.readableBytesView
            case .end:
                guard let head else { return }
                let request = Request(
                    method: head.method.rawValue, uri: head.uri, headers: head.headers, body: body)
                send(log.answer(to: request), to: head, context)
            }
        }

        private func send(_ answer: Answer, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
            guard !answer.isSilent else { return }
            var headers = HTTPHeaders(answer.headers)
            if !headers.contains(name: "Content-Length") {
                headers.add(name: "Content-Length", value: "\(answer.body.count)")
            }
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let bytes = answer.cutAfter.map { Array(answer.body.prefix($0)) } ?? answer.body
            if request.method != .HEAD {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
            }
            if answer.trickles {
                context.flush()
                let context = NIOLoopBound(context, eventLoop: context.eventLoop)
                _ = context.value.eventLoop.scheduleRepeatedTask(
                    initialDelay: .milliseconds(20), delay: .milliseconds(20)
                ) { task in
                    guard context.value.channel.isActive else { return task.cancel() }
                    let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "x")))
                    context.value.writeAndFlush(NIOAny(part), promise: nil)
                }
            } else if answer.cutAfter != nil {
                context.flush()
                context.close(promise: nil)
            } else {
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
