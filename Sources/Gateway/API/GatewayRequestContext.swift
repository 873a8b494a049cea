package import Hummingbird
package import NIOCore

/// What a handler knows of a request besides the request.
package struct GatewayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// `nil` in tests without sockets.
    package let remoteAddress: SocketAddress?
    package let localAddress: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
        localAddress = source.channel.localAddress
    }

    /// Whether the request comes from this machine: 127.0.0.0/8, ::1, or 127.0.0.0/8 as IPv6 writes it.
    var isFromLoopback: Bool {
        guard let address = remoteAddress?.ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}
