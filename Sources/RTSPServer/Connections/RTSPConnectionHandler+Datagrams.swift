import Logging
import LogMetadata
import MediaCore
import NIOCore
import RTSPProtocol
import StreamConnections

/// UDP transport of tracks: publishers send to it, readers receive from it.
extension RTSPConnectionHandler {
    /// Binds a pair of sockets for a track, which exchanges datagrams with the peer's own address only.
    ///
    /// - Parameter body: called with the sockets, or with `nil` if no ports are available.
    func bindPorts(_ offer: RTSPTransport, trackIndex: Int, body: @escaping (UDPTrackSockets?) -> Void) {
        guard let request = portRequest(offer, trackIndex: trackIndex) else { return body(nil) }
        bindPorts(request, mayMakeRoom: true, body: body)
    }

    private func bindPorts(
        _ request: UDPTrackSockets.Request, mayMakeRoom: Bool, body: @escaping (UDPTrackSockets?) -> Void
    ) {
        let limits = environment.configuration.limits
        UDPTrackSockets.bind(request, ports: environment.ports, attemptCount: limits.maximumPortAttemptCount)
            .assumeIsolated().whenComplete { [self] result in
                switch result {
                case .success(let sockets): return body(sockets)
                case .failure(let error):
                    if mayMakeRoom, let leaving = holderToLetGo(error, request.borrower) {
                        return leaving.hop(to: eventLoop).assumeIsolated().whenComplete { [self] _ in
                            bindPorts(request, mayMakeRoom: false, body: body)
                        }
                    }
                    logger.warning("UDP ports cannot be bound", metadata: withCSeq([.error: "\(error)"]))
                    body(nil)
                }
            }
    }

    private func portRequest(_ offer: RTSPTransport, trackIndex: Int) -> UDPTrackSockets.Request? {
        guard let channel = context?.channel, let peer = channel.remoteAddress,
            let localHost = channel.localAddress?.ipAddress, let clientPorts = offer.clientPorts
        else { return nil }
        var remoteRTP = peer
        remoteRTP.port = Int(clientPorts.rtp)
        var remoteRTCP = peer
        remoteRTCP.port = Int(clientPorts.rtcp)
        let receiver = TrackDatagramReceiver(connection: self, trackIndex: trackIndex, peer: SenderFilter(peer: peer))
        return UDPTrackSockets.Request(
            eventLoop: eventLoop,
            borrower: UDPPortAllocator.Borrower(
                purpose: session == nil ? .playing : .publishing, group: AddressGroup(peer),
                connection: ObjectIdentifier(channel)),
            localHost: localHost, remoteRTP: remoteRTP, remoteRTCP: remoteRTCP,
            receiveBufferByteCount: environment.configuration.limits.udpReceiveBufferByteCount,
            receiver: NIOLoopBound(receiver, eventLoop: eventLoop),
            pacing: session == nil ? nil : NIOLoopBound(pacing, eventLoop: eventLoop))
    }

    /// Closes a connection that has held ports for a while without using them.
    ///
    /// - Returns: a future that completes when its ports are free; `nil` if no connection can be closed.
    private func holderToLetGo(
        _ error: any Error, _ borrower: UDPPortAllocator.Borrower
    ) -> EventLoopFuture<Void>? {
        guard case .shortage(let shortage)? = error as? UDPTrackSockets.BindingError else { return nil }
        // The borrower's own ports are in use: it is setting up another track.
        let others = environment.ports.connections.subtracting([borrower.connection])
        return environment.registry.evictHolderOfPorts(
            among: others, of: shortage == .addressGroup ? borrower.group : nil, now: eventLoop.now
        )?.closeFuture
    }

    static func chosenTransport(_ offer: RTSPTransport, _ sockets: UDPTrackSockets) -> RTSPTransport {
        var transport = RTSPTransport(lowerTransport: .udp)
        transport.clientPorts = offer.clientPorts
        transport.serverPorts = RTSPPortPair(rtp: sockets.rtpPort, rtcp: sockets.rtcpPort)
        return transport
    }
}
