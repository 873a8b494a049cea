package import Logging
import LogMetadata
package import MediaCore
package import NIOCore
import Synchronization

/// The open connections; decides whether another one is admitted.
///
/// A full table makes room: first it closes a connection on which nothing is set up, then one that has set up a track
/// without going on for ``ConnectionLimits/setUpPatience``. Connections that publish or play are kept. Among the
/// candidates, the address group with the most loses its oldest one, so a client that opens many connections
/// displaces its own. Readers may occupy three quarters of the places, in total and per address group, so that a
/// publisher always finds one.
package final class ConnectionRegistry: Sendable {
    fileprivate struct Entry {
        let channel: any Channel
        let group: AddressGroup
        var use = ConnectionUse.idle
        /// Time at which ``use`` began.
        var since: NIODeadline
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var countsByGroup: [AddressGroup: Int] = [:]
        var readerCount = 0
        var readerCountsByGroup: [AddressGroup: Int] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limits: ConnectionLimits
    private let counting: any ConnectionCounting
    private let logger: Logger

    /// - Parameters:
    ///   - limits: limits of all connections.
    ///   - counting: is told of connections that come, go and are refused.
    ///   - logger: logger of the server.
    package init(limits: ConnectionLimits, counting: any ConnectionCounting, logger: Logger) {
        self.limits = limits
        self.counting = counting
        self.logger = logger
    }

    package struct Refused: Error { package var reason: ConnectionRefusal }

    fileprivate enum Admission {
        case admitted(evicted: (any Channel)?)
        case refused(ConnectionRefusal)
    }

    // MARK: Admission and closing

    /// Admits a connection.
    ///
    /// - Parameters:
    ///   - channel: the connection's channel.
    ///   - now: the time of the channel's event loop.
    /// - Throws: ``Refused`` if a limit is reached and no connection can be closed; the caller closes the new
    ///   connection.
    package func admit(_ channel: any Channel, now: NIODeadline) throws {
        let group = AddressGroup(channel.remoteAddress)
        let admission = state.withLock { $0.admit(channel, group, now: now, limits: limits) }
        switch admission {
        case .refused(let refusal):
            counting.refused(refusal)
            logger.notice(
                "connection refused",
                metadata: [
                    .peerAddress: "\(channel.remoteAddress?.displayed ?? "")", .reason: "\(refusal.rawValue)",
                ])
            throw Refused(reason: refusal)
        case .admitted(let evicted):
            evicted?.pipeline.fireUserInboundEventTriggered(ConnectionEvictedEvent())
            counting.opened()
            channel.closeFuture.whenComplete { [self] _ in
                // In this order, because a connection that has been removed is not waited for when all are closed.
                counting.closed()
                state.withLock { _ = $0.remove(ObjectIdentifier(channel)) }
            }
        }
    }

    /// Closes all connections and admits no more.
    package func closeAll() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.channel)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ServerShutdownEvent()) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    // MARK: Uses

    /// Records what a connection is used for from now on.
    ///
    /// - Returns: false if it would become a reader although readers occupy all places that they may have.
    package func use(_ channel: any Channel, for use: ConnectionUse, now: NIODeadline) -> Bool {
        state.withLock { $0.use(ObjectIdentifier(channel), for: use, now: now, limits: limits) }
    }

    /// Closes a connection that has set up ports without using them.
    ///
    /// - Parameters:
    ///   - holders: the connections that have ports.
    ///   - group: the group whose connections may be closed; `nil` for any.
    ///   - now: the current time.
    /// - Returns: the connection, whose ports are free once it has closed; `nil` if all of them are in use.
    package func evictHolderOfPorts(
        among holders: Set<ObjectIdentifier>, of group: AddressGroup?, now: NIODeadline
    ) -> (any Channel)? {
        let evicted = state.withLock { state -> (any Channel)? in
            let victim = state.victim(now: now, patience: limits.setUpPatience) { key, entry in
                holders.contains(key) && (group == nil || entry.group == group)
            }
            return victim.flatMap { state.remove($0)?.channel }
        }
        evicted?.pipeline.fireUserInboundEventTriggered(ConnectionEvictedEvent())
        return evicted
    }
}

extension ConnectionRegistry.State {
    fileprivate mutating func admit(
        _ channel: any Channel, _ group: AddressGroup, now: NIODeadline, limits: ConnectionLimits
    ) -> ConnectionRegistry.Admission {
        if isClosed { return .refused(.shuttingDown) }
        var evicted: (any Channel)?
        if countsByGroup[group, default: 0] >= limits.maximumConnectionsPerAddress {
            let victim = victim(now: now, patience: limits.setUpPatience) { $1.group == group }
            guard let victim else { return .refused(.tooManyFromAddress) }
            evicted = remove(victim)?.channel
        } else if entries.count >= limits.maximumConnectionCount {
            let victim = victim(now: now, patience: limits.setUpPatience) { _, _ in true }
            guard let victim else { return .refused(.tooManyConnections) }
            evicted = remove(victim)?.channel
        }
        entries[ObjectIdentifier(channel)] = ConnectionRegistry.Entry(channel: channel, group: group, since: now)
        countsByGroup[group, default: 0] += 1
        return .admitted(evicted: evicted)
    }

    /// - Returns: the removed entry; `nil` if it had been removed before.
    fileprivate mutating func remove(_ key: ObjectIdentifier) -> ConnectionRegistry.Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        countsByGroup.decrement(entry.group)
        if entry.use.isReader { countReader(entry.group, by: -1) }
        return entry
    }

    fileprivate mutating func use(
        _ key: ObjectIdentifier, for use: ConnectionUse, now: NIODeadline, limits: ConnectionLimits
    ) -> Bool {
        // A connection that is being closed may still ask; it will learn of its end soon.
        guard let entry = entries[key] else { return true }
        guard entry.use != use else { return true }
        if use.isReader, !entry.use.isReader {
            guard readerCount < limits.readers(among: limits.maximumConnectionCount),
                readerCountsByGroup[entry.group, default: 0]
                    < limits.readers(among: limits.maximumConnectionsPerAddress)
            else { return false }
            countReader(entry.group, by: 1)
        } else if entry.use.isReader, !use.isReader {
            countReader(entry.group, by: -1)
        }
        entries[key]?.use = use
        entries[key]?.since = now
        return true
    }

    private mutating func countReader(_ group: AddressGroup, by step: Int) {
        readerCount += step
        if step > 0 { readerCountsByGroup[group, default: 0] += 1 } else { readerCountsByGroup.decrement(group) }
    }

    /// The connection to close first, as described for ``ConnectionRegistry``; `nil` if all must be kept.
    fileprivate func victim(
        now: NIODeadline, patience: Duration, among isCandidate: (ObjectIdentifier, ConnectionRegistry.Entry) -> Bool
    ) -> ObjectIdentifier? {
        var candidates: [(key: ObjectIdentifier, entry: ConnectionRegistry.Entry)] = []
        var isIdle = false
        for (key, entry) in entries where isCandidate(key, entry) {
            switch entry.use {
            case .idle:
                if !isIdle { candidates.removeAll(keepingCapacity: true) }
                isIdle = true
                candidates.append((key, entry))
            case .announced, .prepared:
                if !isIdle, entry.since + TimeAmount(patience) <= now { candidates.append((key, entry)) }
            case .recording, .playing: break
            }
        }
        var counts: [AddressGroup: Int] = [:]
        for candidate in candidates { counts[candidate.entry.group, default: 0] += 1 }
        let largest = counts.values.max()
        return candidates.filter { counts[$0.entry.group] == largest }.min { $0.entry.since < $1.entry.since }?.key
    }
}

extension [AddressGroup: Int] {
    fileprivate mutating func decrement(_ group: AddressGroup) {
        let left = self[group, default: 1] - 1
        self[group] = left > 0 ? left : nil
    }
}
