import NIOCore
import RTSPProtocol

/// Passes a track's datagrams to the connection that set the track up.
final class TrackDatagramReceiver: DatagramReceiver {
    /// Weak, because the connection owns the sockets, and a datagram may be in flight when it ends.
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
        switch connection.media {
        case .publishing(let session):
            let isOwn = session.receiveDatagram(
                data, from: address, trackIndex: trackIndex, isRTCP: isRTCP, arrival: now)
            if isOwn { connection.stateMachine.mediaReceived(now: now) }
        case .playback(let playback):
            guard isRTCP, peer.accepts(address) else { return }
            playback.session.receiveRTCP(data, trackIndex: trackIndex)
            connection.stateMachine.mediaReceived(now: now)
        case .nothing: break
        }
    }

    func datagramsReceived() { connection?.countTally() }

    func promptTime(now: NIODeadline) -> NIODeadline? {
        guard let connection else { return now }
        return connection.promptTime(trackIndex: trackIndex, now: now)
    }
}
