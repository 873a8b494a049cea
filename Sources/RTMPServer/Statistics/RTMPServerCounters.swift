import StreamConnections
import Synchronization

/// The counters behind ``RTMPServerStatistics``.
final class RTMPServerCounters: ConnectionCounting {
    private let statistics = Mutex(RTMPServerStatistics())

    var snapshot: RTMPServerStatistics { statistics.withLock { $0 } }

    func update(_ body: (inout RTMPServerStatistics) -> Void) { statistics.withLock { body(&$0) } }

    func refused(_ reason: ConnectionRefusal) { update { $0.refusedConnectionCounts[reason, default: 0] += 1 } }

    func opened() {
        update {
            $0.acceptedConnectionCount += 1
            $0.openConnectionCount += 1
        }
    }

    func closed() { update { $0.openConnectionCount -= 1 } }
}
