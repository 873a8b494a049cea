import MediaCore
import NIOCore
import Synchronization

/// The registration of a counted connection.
final class HTTPConnectionCount: Sendable {
    private let registry: HTTPConnectionRegistry
    let group: AddressGroup
    /// The number of a connection in the reserve; `nil` if its place is an ordinary one.
    let reservedNumber: Int?
    private let isReleased = Atomic(false)
    private let hasMoved = Atomic(false)

    init(_ registry: HTTPConnectionRegistry, _ group: AddressGroup, reservedNumber: Int?) {
        self.registry = registry
        self.group = group
        self.reservedNumber = reservedNumber
    }

    /// Counts the connection until another channel is closed, to which it has moved (`ConnectionTakeover`).
    func move(to channel: any Channel) {
        hasMoved.store(true, ordering: .relaxed)
        registry.move(self, to: channel)
        channel.closeFuture.whenComplete { [self] _ in release() }
    }

    /// Stops counting the connection unless it has moved, because the channel on which it was accepted is closed.
    func acceptedChannelClosed() {
        if !hasMoved.load(ordering: .relaxed) { release() }
    }

    /// Stops counting the connection, because it is closed or handed over to another server, for example if it speaks
    /// RTSP.
    func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        registry.remove(self)
    }
}
