package import NIOCore
import NIOPosix
import NIOSSL

/// A connection by TCP to a stream elsewhere, with TLS if its scheme says so.
package struct ClientConnection: Sendable {
    /// Time for the connection; a camera answers in a few milliseconds.
    private static let connectTime = TimeAmount.seconds(10)
    /// Bytes that wait to be sent: 3 s at 8 Mbit/s. What is more is dropped.
    private static let unsentByteCount = 3 << 20

    private let address: RelayAddress
    private let eventLoop: any EventLoop

    package init(_ address: RelayAddress, on eventLoop: any EventLoop) {
        (self.address, self.eventLoop) = (address, eventLoop)
    }

    /// Connects, and works until the connection ends or the task is cancelled.
    ///
    /// - Parameter addHandler: adds the handler of the connection, on the event loop. It fulfils the promise with the
    ///   end, and ends properly when it is told ``ClientConnectionStop``.
    /// - Throws: ``RelayFailure``
    package func run(
        _ addHandler: @escaping @Sendable (any Channel, EventLoopPromise<Void>) throws -> Void
    ) async throws {
        let ended = eventLoop.makePromise(of: Void.self)
        let channel: any Channel
        do {
            channel = try await connect { try addHandler($0, ended) }.get()
        } catch {
            ended.fail(error)
            throw RelayFailure("\(address.endpoint) cannot be reached: \(error)")
        }
        channel.closeFuture.whenComplete { _ in ended.fail(RelayFailure("the connection was closed")) }
        try await withTaskCancellationHandler {
            try await ended.futureResult.get()
        } onCancel: {
            channel.pipeline.fireUserInboundEventTriggered(ClientConnectionStop())
        }
    }

    private func connect(
        _ addHandler: @escaping @Sendable (any Channel) throws -> Void
    ) throws -> EventLoopFuture<any Channel> {
        let tls = address.scheme.isSecure ? try NIOSSLContext(configuration: .makeClientConfiguration()) : nil
        let host = address.host
        return ClientBootstrap(group: eventLoop)
            .connectTimeout(Self.connectTime)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .writeBufferWaterMark, value: .init(low: Self.unsentByteCount / 2, high: Self.unsentByteCount)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        // SNI carries names, not addresses (RFC 6066 §3).
                        let name = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: name))
                    }
                    try addHandler(channel)
                }
            }
            .connect(host: host, port: address.port)
    }
}
