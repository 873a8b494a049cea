import NIOCore
import NIOPosix
import Synchronization

/// A client that listens to `/api/v1/events` over HTTP/1.1 without TLS.
final class ListeningClient: Sendable {
    private final class Received: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let hasEnded = Atomic(false)
    }

    let channel: any Channel
    private let received: Received

    private init(_ channel: any Channel, _ received: Received) {
        (self.channel, self.received) = (channel, received)
    }

    /// So small that a server cannot put megabytes into the buffers of sockets while the client does not read.
    private static let receiveBufferByteCount = 64 << 10

    /// Connects and asks for events.
    ///
    /// - Parameters:
    ///   - port: the port of the server.
    ///   - query: the query of the request, with its question mark.
    ///   - fields: further lines of the request's head.
    ///   - reads: whether the client reads what it is sent.
    ///   - rest: text that is sent together with the request.
    static func connect(
        to port: Int, query: String = "", fields: String = "", reads: Bool = true, then rest: String = ""
    ) async throws -> ListeningClient {
        let received = Received()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: receiveBufferByteCount)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(received))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let client = ListeningClient(channel, received)
        try await client.send("GET /api/v1/events\(query) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(rest)")
        return client
    }

    /// Reads from now on.
    func read() async throws {
        try await channel.setOption(.autoRead, value: true).get()
        channel.read()
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Everything that was received.
    var text: String { received.bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    var receivedByteCount: Int { received.bytes.withLock(\.count) }
    /// Whether the server has closed the connection.
    var hasEnded: Bool { received.hasEnded.load(ordering: .relaxed) }

    /// The head of the response, empty until it is complete.
    var head: String {
        let text = text
        return text.firstRange(of: "\r\n\r\n").map { String(text[..<$0.upperBound]) } ?? ""
    }

    /// The part of the response's body that has arrived in whole chunks (RFC 9112 §7.1), and whether that is all of it;
    /// `nil` if the body is not in chunks.
    var body: (text: String, isComplete: Bool)? {
        var rest = Array(text.utf8)[...].dropFirst(head.utf8.count)
        var body = ""
        while let end = rest.indices.first(where: { rest[$0] == UInt8(ascii: "\r") }) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { return nil }
            let start = end + 2
            guard start + count + 2 <= rest.endIndex else { break }
            if count == 0 { return (body, true) }
            body += String(decoding: rest[start..<(start + count)], as: UTF8.self)
            rest = rest[(start + count)...].dropFirst(2)
        }
        return (body, false)
    }

    /// The numbers of the events.
    var numbers: [Int] {
        (body?.text ?? "").split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: Received

        init(_ received: Received) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            received.bytes.withLock { $0 += bytes.readableBytesView }
        }

        func channelInactive(context: ChannelHandlerContext) { received.hasEnded.store(true, ordering: .relaxed) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
