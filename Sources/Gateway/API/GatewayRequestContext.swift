package import Hummingbird
package import NIOCore
import RTSPServer

/// What a handler knows of a request besides the request.
package struct GatewayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// `nil` in tests without sockets.
    package let remoteAddress: SocketAddress?
    package let localAddress: SocketAddress?
    /// The request's Host.
    var authority: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
        localAddress = source.channel.localAddress
    }

    /// Whether the request comes from this machine; what has no address does not.
    var isFromLoopback: Bool { remoteAddress?.isLoopback == true }
}
