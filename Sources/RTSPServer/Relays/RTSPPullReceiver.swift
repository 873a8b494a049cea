import NIOCore

/// Passes a track's datagrams to the connection that fetches it.
final class RTSPPullReceiver: DatagramReceiver {
    /// Weak, because the connection owns the sockets, and a datagram may be in flight when it ends.
    private weak var handler: RTSPPullHandler?
    private let trackIndex: Int

    init(handler: RTSPPullHandler, trackIndex: Int) { (self.handler, self.trackIndex) = (handler, trackIndex) }

    func receiveDatagram(_ data: ByteBuffer, from address: SocketAddress, isRTCP: Bool) {
        guard let handler, let session = handler.session else { return }
        let isOwn = session.receiveDatagram(
            data, from: address, trackIndex: trackIndex, isRTCP: isRTCP, arrival: handler.eventLoop.now)
        handler.mediaReceived(isOwn)
    }

    func datagramsReceived() {}

    func promptTime(now: NIODeadline) -> NIODeadline? { now }
}
