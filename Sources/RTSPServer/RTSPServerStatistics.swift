package import RTSPProtocol
import Synchronization

/// What the server has done since it started, for the metrics page.
package struct RTSPServerStatistics: Sendable, Equatable {
    package enum ConnectionRefusal: String, Sendable, CaseIterable {
        case tooManyConnections = "too-many-connections"
        case tooManyFromAddress = "too-many-from-address"
        case shuttingDown = "shutting-down"
    }

    package var acceptedConnectionCount = 0
    package var openConnectionCount = 0
    /// Connections that publish now.
    package var recordingSessionCount = 0
    /// Connections that have played something.
    package var playingSessionCount = 0
    /// Readers that were dropped because they did not keep up.
    package var slowReaderCount = 0
    /// Pictures and sounds of live channels that readers did not get because they were too slow.
    package var droppedUnitCount = 0
    /// Closed before anything was read.
    package var refusedConnectionCounts: [ConnectionRefusal: Int] = [:]
    /// By RTSP status code: 404 is an unknown channel, 453 a busy one, 415 a codec.
    package var refusedRequestCounts: [Int: Int] = [:]
    package var failedLoginCount = 0
    package var closedConnectionCounts: [RTSPCloseReason: Int] = [:]
    /// For a channel or track that was not set up, of an unexpected payload type, or before RECORD.
    package var ignoredPacketCount = 0
    package var malformedPacketCount = 0
    package var lostPacketCount = 0
    /// Datagrams from another address than the publisher's.
    package var foreignDatagramCount = 0

    package init() {}
}

/// The counters behind ``RTSPServerStatistics``. Touched for connections and refusals, and once a read for packets
/// that went wrong: never for one that went right.
final class RTSPServerCounters: Sendable {
    private let statistics = Mutex(RTSPServerStatistics())

    var snapshot: RTSPServerStatistics { statistics.withLock { $0 } }

    func update(_ body: (inout RTSPServerStatistics) -> Void) { statistics.withLock { body(&$0) } }
}

/// What a read brought that was of no use.
struct PacketTally: Equatable {
    var ignored = 0
    var malformed = 0
    var lost = 0
    var foreign = 0

    var isEmpty: Bool { self == PacketTally() }

    func add(to statistics: inout RTSPServerStatistics) {
        statistics.ignoredPacketCount += ignored
        statistics.malformedPacketCount += malformed
        statistics.lostPacketCount += lost
        statistics.foreignDatagramCount += foreign
    }
}
