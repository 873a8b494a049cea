import StreamConnections
import Synchronization

/// The counters behind ``RTSPServerStatistics``. They are updated for connections and refusals, and once per read for
/// faulty packets, but never for good packets.
final class RTSPServerCounters: Sendable {
    private let statistics = Mutex(RTSPServerStatistics())

    var snapshot: RTSPServerStatistics { statistics.withLock { $0 } }

    func update(_ body: (inout RTSPServerStatistics) -> Void) { statistics.withLock { body(&$0) } }
}

extension RTSPServerCounters: ConnectionCounting {
    func refused(_ reason: ConnectionRefusal) { update { $0.refusedConnectionCounts[reason, default: 0] += 1 } }

    func opened() {
        update {
            $0.acceptedConnectionCount += 1
            $0.openConnectionCount += 1
        }
    }

    func closed() { update { $0.openConnectionCount -= 1 } }
}
