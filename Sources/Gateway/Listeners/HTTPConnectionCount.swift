import Synchronization
import MediaCore

/// The registration of a counted connection.
final class HTTPConnectionCount: Sendable {
    private let registry: HTTPConnectionRegistry
    private let group: AddressGroup
    private let isReleased = Atomic(false)

    init(_ registry: HTTPConnectionRegistry, _ group: AddressGroup) {
        self.registry = registry
        self.group = group
    }

    /// Stops counting the connection, because it is closed or handed over to another server, for example if it speaks
    /// RTSP.
    func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        registry.remove(group)
    }
}
