import ChannelPublishing
import LiveChannels
import Logging
import MediaCore
import NIOCore
import StreamConnections
import Synchronization

/// Objects that all connections share.
final class SRTServerEnvironment: Sendable {
    let configuration: SRTServerConfiguration
    let channels: LiveChannelDirectory
    let eventLoopGroup: any EventLoopGroup
    /// Asks the accounts; `nil` for a server without any.
    let admission: (any StreamAdmission)?
    let gate: PublisherGate
    let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var statistics = SRTServerStatistics()
        var countsByAddress: [String: Int] = [:]
        /// Ends a connection, by its number.
        var closers: [Int: @Sendable (SRTCloseReason) -> Void] = [:]
        var lastNumber = 0
    }

    init(
        configuration: SRTServerConfiguration, channels: LiveChannelDirectory, eventLoopGroup: any EventLoopGroup,
        admission: (any StreamAdmission)?, logger: Logger
    ) {
        (self.configuration, self.channels, self.eventLoopGroup) = (configuration, channels, eventLoopGroup)
        (self.admission, self.logger) = (admission, logger)
        gate = PublisherGate(admission: admission)
    }

    var statistics: SRTServerStatistics { state.withLock { $0.statistics } }

    func update(_ body: (inout SRTServerStatistics) -> Void) { state.withLock { body(&$0.statistics) } }

    /// Whether an address has as many connections as it may have.
    func isFull(_ peer: SocketAddress?) -> Bool {
        let address = AddressGroup(peer).description
        return state.withLock { $0.countsByAddress[address, default: 0] }
            >= configuration.limits.maximumConnectionsPerAddress
    }

    /// Notes a connection.
    ///
    /// - Parameters:
    ///   - peer: its address.
    ///   - close: ends it, on any thread.
    /// - Returns: its number.
    func add(_ peer: SocketAddress?, close: @escaping @Sendable (SRTCloseReason) -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.closers[state.lastNumber] = close
            state.countsByAddress[AddressGroup(peer).description, default: 0] += 1
            state.statistics.acceptedConnectionCount += 1
            return state.lastNumber
        }
    }

    /// Notes the end of a connection.
    func remove(_ number: Int, _ peer: SocketAddress?, _ reason: SRTCloseReason) {
        state.withLock { state in
            guard state.closers.removeValue(forKey: number) != nil else { return }
            let address = AddressGroup(peer).description
            let left = state.countsByAddress[address, default: 1] - 1
            state.countsByAddress[address] = left > 0 ? left : nil
            state.statistics.closedConnectionCounts[reason, default: 0] += 1
        }
    }

    /// Ends all connections.
    func closeAll() {
        for close in state.withLock({ Array($0.closers.values) }) { close(.shutdown) }
    }
}
