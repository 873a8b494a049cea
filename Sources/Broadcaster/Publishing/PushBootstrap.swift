import MediaCore
import NIOCore
import NIOPosix
import NIOSSL

/// Opens the connection to a server, with TLS if the target asks for it.
struct PushBootstrap {
    private static let connectTimeout = Duration.seconds(5)
    /// The bytes that the connection buffers beyond the system's buffer; above this, media waits in the backlog, where
    /// it can be dropped.
    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 16 << 10, high: 64 << 10)
    /// The duration of the preset that the system's send buffer holds: small enough that it cannot hide a slow uplink.
    private static let sendBufferDuration = Duration.milliseconds(500)
    private static let minimumSendBufferByteCount = 64 << 10

    let target: PushTarget
    /// The total of all tracks in bits per second.
    let bitRate: Int

    /// Connects.
    ///
    /// - Parameter makeHandler: Makes the last handler of the pipeline, on the event loop.
    /// - Returns: The channel, on the event loop.
    /// - Throws: ``BroadcastError`` if the file with the trusted certificates cannot be used.
    func connect(
        on eventLoop: any EventLoop, makeHandler: @escaping @Sendable () -> PushConnectionHandler
    ) throws(BroadcastError) -> EventLoopFuture<any Channel> {
        let sendBuffer = max(
            Self.minimumSendBufferByteCount, Int(Double(bitRate) / 8 * Self.sendBufferDuration.seconds))
        let tls = target.isSecure ? try tlsContext() : nil
        let host = target.host
        return ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(Self.connectTimeout))
            .channelOption(.socketOption(.so_sndbuf), value: .init(clamping: sendBuffer))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.writeBufferWaterMark, value: Self.waterMark)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        // SNI carries names, not addresses (RFC 6066 §3).
                        let name = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: name))
                    }
                    try channel.pipeline.syncOperations.addHandler(makeHandler())
                }
            }
            .connect(host: host, port: target.port)
            .hop(to: eventLoop)
    }

    private func tlsContext() throws(BroadcastError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if target.acceptsAnyCertificate { configuration.certificateVerification = .none }
        if let file = target.trustedCertificates { configuration.trustRoots = .file(file) }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw BroadcastError(
                .certificate,
                "\(target.trustedCertificates ?? "the system's store") cannot be read, or contains no certificates: "
                    + "--certificates needs a PEM file")
        }
    }
}
