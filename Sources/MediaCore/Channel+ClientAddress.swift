package import NIOCore

extension Channel {
    /// The address of the client; `nil` without a socket. An HTTP/2 stream has that of its connection.
    package var clientAddress: SocketAddress? { remoteAddress ?? parent?.remoteAddress }
}
