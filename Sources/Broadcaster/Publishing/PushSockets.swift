import NIOCore
import NIOPosix
import RTSPProtocol

/// The two UDP sockets of a track.
struct PushSockets: Sendable {
    /// The number of attempts to bind: pairs that start with an odd port, or whose second port is taken, are tried
    /// again.
    private static let maximumAttemptCount = 32

    let ports: RTSPPortPair
    private let rtp: any Channel
    private let rtcp: any Channel

    /// The addresses at which a server receives a track.
    struct Target: Sendable {
        var rtp: SocketAddress
        var rtcp: SocketAddress

        init(host: SocketAddress, ports: RTSPPortPair) {
            (rtp, rtcp) = (host, host)
            rtp.port = Int(ports.rtp)
            rtcp.port = Int(ports.rtcp)
        }
    }

    /// Binds two consecutive ports, the first even (RFC 3550 §11).
    ///
    /// - Parameters:
    ///   - host: The local address of the RTSP connection.
    ///   - onReport: Gets packets that arrive at the second port, on the event loop.
    static func bind(
        host: String, on eventLoop: any EventLoop, attemptCount: Int = 0,
        onReport: NIOLoopBound<(ByteBuffer) -> Void>
    ) -> EventLoopFuture<PushSockets> {
        DatagramBootstrap(group: eventLoop).bind(host: host, port: 0).flatMap { rtp in
            guard let port = rtp.localAddress?.port, port % 2 == 0, port < UInt16.max else {
                return rtp.close().flatMapThrowing { throw OddPort() }
            }
            return DatagramBootstrap(group: eventLoop).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ReportHandler(onReport.value))
                }
            }.bind(host: host, port: port + 1).map { rtcp in
                let ports = RTSPPortPair(rtp: UInt16(clamping: port), rtcp: UInt16(clamping: port + 1))
                return PushSockets(ports: ports, rtp: rtp, rtcp: rtcp)
            }.flatMapError { error in rtp.close().flatMapThrowing { throw error } }
        }.flatMapError { error in
            guard attemptCount < maximumAttemptCount else { return eventLoop.makeFailedFuture(error) }
            return bind(host: host, on: eventLoop, attemptCount: attemptCount + 1, onReport: onReport)
        }
    }

    private struct OddPort: Error {}

    /// Queues packets for the next ``flush()``.
    func send(_ packets: some Sequence<ByteBuffer>, to target: Target) {
        for packet in packets { rtp.write(AddressedEnvelope(remoteAddress: target.rtp, data: packet), promise: nil) }
    }

    func flush() { rtp.flush() }

    func sendReports(_ packets: some Sequence<ByteBuffer>, to target: Target) {
        for packet in packets { rtcp.write(AddressedEnvelope(remoteAddress: target.rtcp, data: packet), promise: nil) }
        rtcp.flush()
    }

    var isWritable: Bool { rtp.isWritable }

    func close() {
        rtp.close(promise: nil)
        rtcp.close(promise: nil)
    }

    private final class ReportHandler: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>

        private let onReport: (ByteBuffer) -> Void

        init(_ onReport: @escaping (ByteBuffer) -> Void) { self.onReport = onReport }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { onReport(unwrapInboundIn(data).data) }

        /// Ignores unreachable ports, reported by ICMP: the RTSP connection reports what matters.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}
