import NIOCore
import NIOHTTP1

/// Answers a browser's requests for the preview, one after the other.
final class PreviewRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: PreviewServer
    private var head: HTTPRequestHead?

    init(server: PreviewServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context)
        }
    }

    private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let path = request.uri.prefix { $0 != "?" }
        let isRead = request.method == .GET || request.method == .HEAD
        let content = isRead ? server.content(at: String(path)) : nil
        let status: HTTPResponseStatus = content != nil ? .ok : isRead ? .notFound : .methodNotAllowed
        let body = content?.body ?? ByteBuffer()
        var headers = HTTPHeaders([
            ("Content-Length", "\(body.readableBytes)"), ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ])
        if let type = content?.type { headers.add(name: "Content-Type", value: type) }
        let head = HTTPResponseHead(version: request.version, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if !request.isKeepAlive { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
