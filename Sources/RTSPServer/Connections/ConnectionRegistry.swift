import Logging
import NIOCore
import Synchronization

/// Sent through a connection's pipeline when the server stops.
struct ServerShutdownEvent: Sendable {}

/// Which connections there are, and whether there may be another.
final class ConnectionRegistry: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var countsByAddress: [String: Int] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limits: RTSPServerLimits
    private let counters: RTSPServerCounters
    private let logger: Logger

    init(limits: RTSPServerLimits, counters: RTSPServerCounters, logger: Logger) {
        self.limits = limits
        self.counters = counters
        self.logger = logger
    }

    struct Refused: Error { var reason: RTSPServerStatistics.ConnectionRefusal }

    /// - Throws: where a limit is reached; the caller closes the connection.
    func admit(_ channel: any Channel) throws {
        let address = channel.remoteAddress?.ipAddress ?? ""
        let refusal = state.withLock { state -> RTSPServerStatistics.ConnectionRefusal? in
            if state.isClosed { return .shuttingDown }
            if state.channels.count >= limits.maximumConnectionCount { return .tooManyConnections }
            if state.countsByAddress[address, default: 0] >= limits.maximumConnectionsPerAddress {
                return .tooManyFromAddress
            }
            state.channels[ObjectIdentifier(channel)] = channel
            state.countsByAddress[address, default: 0] += 1
            return nil
        }
        if let refusal {
            counters.update { $0.refusedConnectionCounts[refusal, default: 0] += 1 }
            logger.notice(
                "RTSP connection refused", metadata: ["peer": "\(address)", "reason": "\(refusal.rawValue)"])
            throw Refused(reason: refusal)
        }
        counters.update {
            $0.acceptedConnectionCount += 1
            $0.openConnectionCount += 1
        }
        channel.closeFuture.whenComplete { [self] _ in remove(channel, address: address) }
    }

    private func remove(_ channel: any Channel, address: String) {
        state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = nil
            let left = state.countsByAddress[address, default: 1] - 1
            state.countsByAddress[address] = left > 0 ? left : nil
        }
        counters.update { $0.openConnectionCount -= 1 }
    }

    /// Ends all connections and admits no more.
    func closeAll() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ServerShutdownEvent()) }
        for channel in channels { try? await channel.closeFuture.get() }
    }
}
