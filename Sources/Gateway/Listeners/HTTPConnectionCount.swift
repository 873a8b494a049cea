import MediaCore
import Synchronization

/// The registration of a counted connection.
final class HTTPConnectionCount: Sendable {
    private let registry: HTTPConnectionRegistry
    let group: AddressGroup
    /// The number of a connection in the reserve; `nil` if its place is an ordinary one.
    let reservedNumber: Int?
    private let isReleased = Atomic(false)

    init(_ registry: HTTPConnectionRegistry, _ group: AddressGroup, reservedNumber: Int?) {
        self.registry = registry
        self.group = group
        self.reservedNumber = reservedNumber
    }

    /// Stops counting the connection, because it is closed or handed over to another server, for example if it speaks
    /// RTSP.
    func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        registry.remove(self)
    }
}
