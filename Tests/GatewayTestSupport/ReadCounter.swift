package import NIOCore
package import NIOHTTPTypes

/// Takes the HTTP codec's place before the delivery handler: counts reads.
package final class ReadCounter: ChannelOutboundHandler {
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    package private(set) var count = 0

    package init() {}

    package func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
