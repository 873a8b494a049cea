package import Hummingbird
package import NIOCore

/// The context of a request: its connection's addresses, its authority, and the captured path components.
package struct GatewayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The client's address; `nil` in tests without sockets.
    package let remoteAddress: SocketAddress?
    /// The server's own address of the connection; `nil` in tests without sockets.
    package let localAddress: SocketAddress?
    /// True if the request carries the operator token. The router rejects requests without it if the endpoint is for
    /// operators.
    package var isOperator = false

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        // An HTTP/2 stream uses the address of its connection.
        remoteAddress = source.channel.remoteAddress ?? source.channel.parent?.remoteAddress
        localAddress = source.channel.localAddress ?? source.channel.parent?.localAddress
    }

    /// The captured components of the path, percent-decoded. Shadows Hummingbird's property, whose components are still
    /// encoded.
    package var parameters: PathParameters { PathParameters(encoded: coreContext.parameters) }
}
