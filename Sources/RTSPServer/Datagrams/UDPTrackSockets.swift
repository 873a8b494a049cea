import NIOCore
import NIOPosix
import PacedSockets

/// The two sockets of a track, on the event loop of its publisher's or reader's connection.
struct UDPTrackSockets: Sendable {
    let rtp: any Channel
    let rtcp: any Channel
    let rtpPort: UInt16
    let rtcpPort: UInt16
    private var remoteRTP: SocketAddress
    private var remoteRTCP: SocketAddress

    private init(rtp: any Channel, rtcp: any Channel, ports: (rtp: Int, rtcp: Int), _ request: Request) {
        self.rtp = rtp
        self.rtcp = rtcp
        rtpPort = UInt16(clamping: ports.rtp)
        rtcpPort = UInt16(clamping: ports.rtcp)
        remoteRTP = request.remoteRTP
        remoteRTCP = request.remoteRTCP
    }

    func close() {
        rtp.close(promise: nil)
        rtcp.close(promise: nil)
    }

    /// Sets the ports of the other side, which a server names when the sockets are bound already.
    mutating func setRemotePorts(of peer: SocketAddress, rtp: UInt16, rtcp: UInt16) {
        (remoteRTP, remoteRTCP) = (peer, peer)
        remoteRTP.port = Int(rtp)
        remoteRTCP.port = Int(rtcp)
    }

    /// Sends an empty datagram each way, so that a router in between lets through what comes back.
    func open() {
        rtp.writeAndFlush(AddressedEnvelope(remoteAddress: remoteRTP, data: ByteBuffer()), promise: nil)
        rtcp.writeAndFlush(AddressedEnvelope(remoteAddress: remoteRTCP, data: ByteBuffer()), promise: nil)
    }

    /// Sends a receiver report to the publisher.
    func send(_ report: ByteBuffer) {
        rtcp.writeAndFlush(AddressedEnvelope(remoteAddress: remoteRTCP, data: report), promise: nil)
    }

    /// Writes one packet to a reader; the caller flushes.
    func write(_ packet: ByteBuffer, isRTCP: Bool) {
        let envelope = AddressedEnvelope(remoteAddress: isRTCP ? remoteRTCP : remoteRTP, data: packet)
        (isRTCP ? rtcp : rtp).write(envelope, promise: nil)
    }

    func flush() {
        rtp.flush()
        rtcp.flush()
    }

    /// The reason why the sockets could not be bound.
    enum BindingError: Error, Hashable {
        case shortage(UDPPortAllocator.Shortage)
        /// Other programs use the ports that were tried.
        case portsTaken
    }

    struct Request: Sendable {
        var eventLoop: any EventLoop
        var borrower: UDPPortAllocator.Borrower
        /// Local address on which the peer reached the server.
        var localHost: String
        var remoteRTP: SocketAddress
        var remoteRTCP: SocketAddress
        var receiveBufferByteCount: Int
        var receiver: NIOLoopBound<any DatagramReceiver>
        /// Paces the reading of media while no viewer needs it immediately; `nil` for a reader's track, on which no
        /// media arrives.
        var pacing: NIOLoopBound<PublisherPacing>?
    }

    /// Binds a pair of sockets.
    ///
    /// - Parameter attemptCount: number of pairs to try.
    /// - Returns: the sockets, whose ports are lent until both are closed; fails with ``BindingError``.
    static func bind(
        _ request: Request, ports allocator: UDPPortAllocator, attemptCount: Int
    ) -> EventLoopFuture<UDPTrackSockets> {
        let loop = request.eventLoop
        guard attemptCount > 0 else { return loop.makeFailedFuture(BindingError.portsTaken) }
        let lease: UDPPortAllocator.Lease
        do { lease = try allocator.lend(to: request.borrower) } catch {
            return loop.makeFailedFuture(BindingError.shortage(error))
        }
        return bindPair(request, lease).map { sockets in
            sockets.rtp.closeFuture.and(sockets.rtcp.closeFuture).whenComplete { _ in allocator.takeBack(lease) }
            return sockets
        }.flatMapError { _ in
            allocator.takeBack(lease)
            return bind(request, ports: allocator, attemptCount: attemptCount - 1)
        }
    }

    private static func bindPair(
        _ request: Request, _ lease: UDPPortAllocator.Lease
    ) -> EventLoopFuture<UDPTrackSockets> {
        bindOne(request, port: lease.rtp, isRTCP: false).flatMap { rtp in
            bindOne(request, port: lease.rtcp, isRTCP: true).map { rtcp in
                UDPTrackSockets(rtp: rtp, rtcp: rtcp, ports: (lease.rtp, lease.rtcp), request)
            }.flatMapError { error in
                rtp.close().flatMap { request.eventLoop.makeFailedFuture(error) }
            }
        }
    }

    private static func bindOne(_ request: Request, port: Int, isRTCP: Bool) -> EventLoopFuture<any Channel> {
        (isRTCP ? reportBootstrap(request) : mediaBootstrap(request))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = DatagramHandler(receiver: request.receiver.value, isRTCP: isRTCP)
                    if !isRTCP, let pacing = request.pacing?.value { handler.pace(by: pacing) }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: request.localHost, port: port)
    }

    private static func mediaBootstrap(_ request: Request) -> DatagramBootstrap {
        DatagramBootstrap(group: request.eventLoop)
            .channelOption(.socketOption(.so_rcvbuf), value: request.receiveBufferByteCount)
            // Reads several datagrams per system call, into slices of one buffer.
            .channelOption(.datagramVectorReadMessageCount, value: vectorReadCount)
            // Makes one such call each time that datagrams are waiting; a second call would mostly find none.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(
                    capacity: vectorReadCount * ReceptionScratch.maximumDatagramByteCount))
    }

    /// Socket options for RTCP: one small datagram every few seconds, for which the system's default receive buffer
    /// suffices.
    private static func reportBootstrap(_ request: Request) -> DatagramBootstrap {
        DatagramBootstrap(group: request.eventLoop)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: maximumReportByteCount))
    }

    /// Datagrams per system call. A frame of a 2.5 Mbit/s stream at 30 frames per second consists of about eight
    /// packets. NIO rounds the buffer up to a power of two: seven datagrams fill 64 KB, of which up to four are kept
    /// per socket; eight would take 128 KB.
    private static let vectorReadCount = 7
    /// Size limit of an RTCP datagram in bytes. A compound packet should fit into the path's MTU (RFC 3550 §6.1),
    /// which is 1,500 bytes. A truncated datagram is not valid RTCP and is ignored.
    private static let maximumReportByteCount = 2 * 1_024
}
