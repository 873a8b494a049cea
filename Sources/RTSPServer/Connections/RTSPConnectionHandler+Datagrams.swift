import Logging
import NIOCore
import RTSPProtocol

/// Tracks beside the connection, by UDP: a publisher's come, a reader's go.
extension RTSPConnectionHandler {
    /// A track's pair of sockets, towards the peer's own address and nobody else's.
    ///
    /// - Parameter body: gets `nil` where there are no ports to be had.
    func bindPorts(_ offer: RTSPTransport, trackIndex: Int, body: @escaping (UDPTrackSockets?) -> Void) {
        guard let channel = context?.channel, let peer = channel.remoteAddress,
            let localHost = channel.localAddress?.ipAddress, let clientPorts = offer.clientPorts
        else { return body(nil) }
        var remoteRTP = peer
        remoteRTP.port = Int(clientPorts.rtp)
        var remoteRTCP = peer
        remoteRTCP.port = Int(clientPorts.rtcp)
        let limits = environment.configuration.limits
        let receiver = TrackDatagramReceiver(connection: self, trackIndex: trackIndex, peer: SenderFilter(peer: peer))
        UDPTrackSockets.bind(
            UDPTrackSockets.Request(
                eventLoop: eventLoop, localHost: localHost, remoteRTP: remoteRTP, remoteRTCP: remoteRTCP,
                receiveBufferByteCount: limits.udpReceiveBufferByteCount,
                receiver: NIOLoopBound(receiver, eventLoop: eventLoop)),
            ports: environment.ports, attemptCount: limits.maximumPortAttemptCount
        ).assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let sockets): body(sockets)
            case .failure(let error):
                logger.warning("no UDP ports", metadata: ["error": "\(error)"])
                body(nil)
            }
        }
    }

    static func chosenTransport(_ offer: RTSPTransport, _ sockets: UDPTrackSockets) -> RTSPTransport {
        var transport = RTSPTransport(lowerTransport: .udp)
        transport.clientPorts = offer.clientPorts
        transport.serverPorts = RTSPPortPair(rtp: sockets.rtpPort, rtcp: sockets.rtcpPort)
        return transport
    }
}

/// Brings a track's datagrams to the connection that set it up.
final class TrackDatagramReceiver: DatagramReceiver {
    /// Weak: the connection owns the sockets, and a datagram may be on its way when it has ended.
    private weak var connection: RTSPConnectionHandler?
    private let trackIndex: Int
    private let peer: SenderFilter

    init(connection: RTSPConnectionHandler, trackIndex: Int, peer: SenderFilter) {
        self.connection = connection
        self.trackIndex = trackIndex
        self.peer = peer
    }

    func receiveDatagram(_ data: ByteBuffer, from address: SocketAddress, isRTCP: Bool) {
        guard let connection else { return }
        let now = connection.eventLoop.now
        if let reading = connection.reading {
            guard isRTCP, peer.accepts(address) else { return }
            reading.session.receiveRTCP(data, trackIndex: trackIndex)
            return connection.stateMachine.mediaReceived(now: now)
        }
        guard let session = connection.session else { return }
        let isOwn = session.receiveDatagram(
            data, from: address, trackIndex: trackIndex, isRTCP: isRTCP, arrival: now)
        if isOwn { connection.stateMachine.mediaReceived(now: now) }
    }

    func datagramsReceived() { connection?.countTally() }
}
