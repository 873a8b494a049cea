import NIOCore
import NIOPosix

/// The limits of a connection that has left the HTTP server (``ConnectionTakeover``).
package struct TakenConnectionLimits: Sendable {
    /// Number of bytes that wait for the socket at which the channel is no longer writable.
    private let unsentByteCount: Int
    /// Size of the socket's buffer for what is sent, which the system does not enlarge.
    private let sendBufferByteCount: Int
    /// Time for the client to acknowledge what was sent, after which the system closes the connection.
    private let acknowledgementTimeout: Duration

    /// Size of the socket's buffer for what the client sends, although nobody reads it.
    private static let receiveBufferByteCount = 4 << 10
    /// Size of the buffer that is read into at the end of the connection.
    private static let readByteCount = 512

    /// - Parameters:
    ///   - unsentByteCount: number of bytes that wait for the socket at which the channel is no longer writable.
    ///   - sendBufferByteCount: size of the socket's buffer for what is sent.
    ///   - acknowledgementTimeout: time for the client to acknowledge what was sent.
    package init(unsentByteCount: Int, sendBufferByteCount: Int, acknowledgementTimeout: Duration) {
        self.unsentByteCount = unsentByteCount
        self.sendBufferByteCount = sendBufferByteCount
        self.acknowledgementTimeout = acknowledgementTimeout
    }

    /// The bootstrap of such connections. Nothing is read before the end of the connection, which the system reports in
    /// any case.
    func bootstrap(on eventLoop: any EventLoop) -> ClientBootstrap {
        ClientBootstrap(group: eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readByteCount)
            )
            .channelOption(
                .writeBufferWaterMark,
                value: ChannelOptions.Types.WriteBufferWaterMark(low: unsentByteCount / 2, high: unsentByteCount)
            )
            .channelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(sendBufferByteCount))
            .channelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(Self.receiveBufferByteCount))
            .channelOption(
                .tcpOption(AcknowledgementTimeout.option),
                value: AcknowledgementTimeout.value(acknowledgementTimeout))
    }
}
