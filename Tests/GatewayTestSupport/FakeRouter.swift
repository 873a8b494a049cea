package import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Takes the router's place after the delivery handler: records requests, and answers when the test says so.
package final class FakeRouter: ChannelInboundHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias OutboundOut = HTTPResponsePart

    package private(set) var paths: [String] = []
    package private(set) var bodies: [String] = []
    package private(set) var endCount = 0
    package private(set) var events: [String] = []
    /// Called for each request head.
    package var onHead: () -> Void = {}
    private var context: ChannelHandlerContext?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            paths.append(head.path ?? "")
            onHead()
        case .body(let bytes): bodies.append(String(buffer: bytes))
        case .end: endCount += 1
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { events.append("quiesce") }
        if event as? ChannelEvent == .inputClosed { events.append("inputClosed") }
    }

    package func answer(_ text: String, fields: HTTPFields = HTTPFields()) {
        guard let context else { return }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(string: text))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    package func interimResponse() {
        context?.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
}
