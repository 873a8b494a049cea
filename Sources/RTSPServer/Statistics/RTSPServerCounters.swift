import Synchronization

/// The counters behind ``RTSPServerStatistics``. They are updated for connections and refusals, and once per read for
/// faulty packets, but never for good packets.
final class RTSPServerCounters: Sendable {
    private let statistics = Mutex(RTSPServerStatistics())

    var snapshot: RTSPServerStatistics { statistics.withLock { $0 } }

    func update(_ body: (inout RTSPServerStatistics) -> Void) { statistics.withLock { body(&$0) } }
}
