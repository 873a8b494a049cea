import Logging
import LogMetadata
import NIOCore
import Synchronization
import MediaCore

/// Counts the HTTP connections of all listeners together and rejects those beyond the limits.
final class HTTPConnectionRegistry: Sendable {
    struct Limits: Sendable {
        /// Limit of all connections: half of the open files that the server requests. The other half is for media, RTSP
        /// and UDP ports.
        var connectionCount = 32_768
        /// Limit of connections per address, more than a household, a school or a mobile network behind one address
        /// needs. Clients on this machine are not limited, because behind a reverse proxy all clients have its address.
        var connectionCountPerAddress = 1_024
    }

    enum Refusal: String, Sendable {
        case tooManyConnections = "too many connections"
        case tooManyFromAddress = "too many connections from this address"
    }

    private struct State {
        var count = 0
        var countByAddress: [AddressGroup: Int] = [:]
        var refusedCount = 0
        var nextLog = NIODeadline.uptimeNanoseconds(0)
    }

    private let state = Mutex(State())
    private let limits: Limits
    private let logger: Logger

    /// Interval of the log line for refused connections, which are counted in between.
    private static let logInterval = Duration.seconds(10)

    init(limits: Limits = Limits(), logger: Logger) {
        self.limits = limits
        self.logger = logger
    }

    /// Number of open connections.
    var count: Int { state.withLock(\.count) }

    /// Counts a connection until it is closed or the returned value is released. A connection beyond the limits is
    /// closed here, because NIO leaves a connection open if its setup fails.
    ///
    /// - Throws: ``HTTPConnectionRefused``
    @discardableResult
    func admit(_ channel: any Channel) throws(HTTPConnectionRefused) -> HTTPConnectionCount {
        let group = AddressGroup(channel.remoteAddress)
        let (reason, refusedCount) = state.withLock { state -> (Refusal?, Int) in
            if let reason = self.refusal(of: group, in: state) {
                state.refusedCount += 1
                let now = NIODeadline.now()
                guard now >= state.nextLog else { return (reason, 0) }
                state.nextLog = now + TimeAmount(Self.logInterval)
                defer { state.refusedCount = 0 }
                return (reason, state.refusedCount)
            }
            state.count += 1
            state.countByAddress[group, default: 0] += 1
            return (nil, 0)
        }
        if let reason {
            if refusedCount > 0 {
                logger.notice(
                    "HTTP connections refused",
                    metadata: [
                        .peerAddress: "\(group)", .reason: "\(reason.rawValue)", .count: "\(refusedCount)",
                    ])
            }
            channel.close(promise: nil)
            throw HTTPConnectionRefused(refusal: reason)
        }
        let counted = HTTPConnectionCount(self, group)
        channel.closeFuture.whenComplete { _ in counted.release() }
        return counted
    }

    private func refusal(of group: AddressGroup, in state: State) -> Refusal? {
        if state.count >= limits.connectionCount { return .tooManyConnections }
        guard !group.isLoopback else { return nil }
        return state.countByAddress[group, default: 0] >= limits.connectionCountPerAddress ? .tooManyFromAddress : nil
    }

    func remove(_ group: AddressGroup) {
        state.withLock { state in
            state.count -= 1
            let left = (state.countByAddress[group] ?? 1) - 1
            state.countByAddress[group] = left > 0 ? left : nil
        }
    }
}
