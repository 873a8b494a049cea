import ChannelPublishing
import Foundation
package import LibSRT
package import LiveChannels
import LogMetadata
package import Logging
import MediaCore
package import NIOCore
package import RTSPServer
import SRTServer
import ServiceLifecycle
import Synchronization

/// Fetches channels from elsewhere, and copies channels to elsewhere, as their configuration says.
package final class StreamRelays: Service {
    /// Interval in which the channel of a relay is looked at.
    private static let interval = Duration.milliseconds(250)

    private struct Entry {
        var plan: RelayPlan
        var status: RelayStatus
        var progress: RelayProgress?
        var isStopped = false
        /// Increased when the plan has changed, so that what works for a former one ends.
        var generation = 0
    }

    /// The parts of the server that make connections.
    package struct Means: Sendable {
        package var eventLoopGroup: any EventLoopGroup
        package var rtsp: RTSPServer
        /// Makes SRT connections; throws if libsrt is missing.
        package var srt: @Sendable () throws -> SRTEngine
        package var fetching: any RelayFetching

        package init(
            eventLoopGroup: any EventLoopGroup, rtsp: RTSPServer, srt: @escaping @Sendable () throws -> SRTEngine,
            fetching: any RelayFetching
        ) {
            (self.eventLoopGroup, self.rtsp, self.srt, self.fetching) = (eventLoopGroup, rtsp, srt, fetching)
        }
    }

    private let channels: LiveChannelDirectory
    private let makeTransport: @Sendable (RelayPlan, LiveChannel) throws -> any RelayTransport
    private let clock: any Clock<Duration>
    private let wallClock: WallClock
    private let logger: Logger
    private let state = Mutex([RelayIdentifier: Entry]())

    /// - Parameters:
    ///   - channels: the live channels.
    ///   - means: makes connections.
    ///   - logger: logger of the server.
    package convenience init(channels: LiveChannelDirectory, means: Means, logger: Logger) {
        self.init(channels: channels, logger: logger) { plan, channel in
            try plan.transport(for: channel, means)
        }
    }

    init(
        channels: LiveChannelDirectory, clock: any Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system,
        logger: Logger, makeTransport: @escaping @Sendable (RelayPlan, LiveChannel) throws -> any RelayTransport
    ) {
        (self.channels, self.clock, self.wallClock, self.logger) = (channels, clock, wallClock, logger)
        self.makeTransport = makeTransport
    }

    // MARK: Operators

    /// The relays of a channel: its source first.
    package func statuses(ofChannel name: String) -> [RelayStatus] {
        statuses { $0.channel == name }
    }

    /// The relays of all channels, by the channel's name.
    package var statuses: [RelayStatus] { statuses { _ in true } }

    private func statuses(where isWanted: (RelayIdentifier) -> Bool) -> [RelayStatus] {
        let entries = state.withLock { $0.values.filter { isWanted($0.plan.identifier) } }
        return entries.map { entry in
            var status = entry.status
            if let values = entry.progress?.values {
                status.byteCount = values.byteCount
                status.droppedUnitCount = values.droppedUnitCount
            }
            status.totalByteCount += status.byteCount
            status.totalDroppedUnitCount += status.droppedUnitCount
            return status
        }.sorted {
            ($0.identifier.channel, $0.identifier.order) < ($1.identifier.channel, $1.identifier.order)
        }
    }

    /// Starts or stops a relay, until the server is restarted.
    ///
    /// - Returns: false if there is no such relay.
    package func set(_ identifier: RelayIdentifier, isStopped: Bool) -> Bool {
        state.withLock { entries in
            guard entries[identifier] != nil else { return false }
            entries[identifier]?.isStopped = isStopped
            return true
        }
    }

    // MARK: Service

    /// Works until graceful shutdown or cancellation.
    package func run() async {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                var changeCount: Int?
                while !Task.isCancelled {
                    let current = channels.changeCount
                    // Most servers have no relays, and their configuration stays as it is.
                    if current != changeCount {
                        for identifier in reconcile() {
                            group.addTask { [self] in await supervise(identifier) }
                        }
                        changeCount = current
                    }
                    try? await BeatClock().sleep(for: BeatClock.interval)
                }
                group.cancelAll()
            }
        }
    }

    /// Compares the relays with the configurations.
    ///
    /// - Returns: those that are new.
    func reconcile() -> [RelayIdentifier] {
        let plans = channels.all.flatMap { RelayPlan.plans(of: $0.configuration) }
        let wanted = Dictionary(plans.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        let now = wallClock.now()
        return state.withLock { entries in
            for identifier in entries.keys where wanted[identifier] == nil { entries[identifier] = nil }
            var new: [RelayIdentifier] = []
            for (identifier, plan) in wanted {
                if let known = entries[identifier] {
                    guard known.plan != plan else { continue }
                    entries[identifier]?.plan = plan
                    entries[identifier]?.generation += 1
                    entries[identifier]?.status.address = plan.displayedAddress
                } else {
                    entries[identifier] = Entry(
                        plan: plan,
                        status: RelayStatus(
                            identifier: identifier, address: plan.displayedAddress, state: .waiting, since: now))
                    new.append(identifier)
                }
            }
            return new
        }
    }

    // MARK: One relay

    /// Makes one connection after the other until the relay is no longer configured.
    private func supervise(_ identifier: RelayIdentifier) async {
        var backOff = RelayBackOff()
        while !Task.isCancelled, let entry = state.withLock({ $0[identifier] }) {
            guard mayRun(entry), let channel = channels.channel(named: identifier.channel) else {
                note(identifier, entry.isStopped ? .stopped : .waiting)
                try? await clock.sleep(for: Self.interval)
                continue
            }
            let progress = RelayProgress()
            begin(identifier, progress)
            let reason = await work(entry, channel, progress)
            let isWanted = state.withLock { $0[identifier]?.generation == entry.generation } && mayRun(identifier)
            let hasWorked = progress.values.isRunning
            guard isWanted, !Task.isCancelled else { continue }
            note(identifier, .failing, reason: reason)
            logger.notice(
                "relay ended",
                metadata: [
                    .channelName: "\(identifier.channel)", .relay: "\(identifier)", .reason: "\(reason.prefix(300))",
                ])
            await pause(backOff.next(hasWorked: hasWorked), identifier, entry.generation)
        }
    }

    /// Waits, unless an operator stops the relay or its plan changes.
    private func pause(_ duration: Duration, _ identifier: RelayIdentifier, _ generation: Int) async {
        var left = duration
        while left > .zero, !Task.isCancelled, mayRun(identifier),
            state.withLock({ $0[identifier]?.generation }) == generation
        {
            try? await clock.sleep(for: min(left, Self.interval))
            left -= Self.interval
        }
    }

    /// Works for one connection.
    ///
    /// - Returns: the reason for its end.
    private func work(_ entry: Entry, _ channel: LiveChannel, _ progress: RelayProgress) async -> String {
        let identifier = entry.plan.identifier
        do {
            let transport = try makeTransport(entry.plan, channel)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await transport.run(progress) }
                group.addTask { [self] in
                    while true {
                        try await clock.sleep(for: Self.interval)
                        if progress.values.isRunning { note(identifier, .running) }
                        let isCurrent = state.withLock { $0[identifier]?.generation } == entry.generation
                        guard isCurrent, mayGoOn(identifier) else { throw RelayFailure("stopped") }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
            return "it has ended"
        } catch {
            return "\(error)"
        }
    }

    private func begin(_ identifier: RelayIdentifier, _ progress: RelayProgress) {
        note(identifier, .connecting)
        state.withLock { entries in
            entries[identifier]?.status.attemptCount += 1
            // What the former connections had stays in the totals.
            let former = entries[identifier]?.progress?.values
            entries[identifier]?.status.totalByteCount += former?.byteCount ?? 0
            entries[identifier]?.status.totalDroppedUnitCount += former?.droppedUnitCount ?? 0
            entries[identifier]?.progress = progress
        }
    }

    private func note(_ identifier: RelayIdentifier, _ new: RelayStatus.State, reason: String? = nil) {
        let now = wallClock.now()
        state.withLock { entries in
            if let reason { entries[identifier]?.status.reason = reason }
            guard entries[identifier]?.status.state != new else { return }
            entries[identifier]?.status.state = new
            entries[identifier]?.status.since = now
        }
    }

    // MARK: Conditions

    private func mayRun(_ identifier: RelayIdentifier) -> Bool {
        state.withLock { $0[identifier] }.map { mayRun($0) } ?? false
    }

    /// Whether it is the time for a connection.
    private func mayRun(_ entry: Entry) -> Bool {
        guard !entry.isStopped, let channel = channels.channel(named: entry.plan.identifier.channel) else {
            return false
        }
        switch entry.plan.identifier.kind {
        case .source:
            guard channel.publishingError(presetName: nil) == nil else { return false }
            return !entry.plan.isOnDemand || channel.isWatched
        case .restream: return channel.restreamed.broadcast != nil
        }
    }

    /// Whether a connection that works may go on.
    private func mayGoOn(_ identifier: RelayIdentifier) -> Bool {
        guard let entry = state.withLock({ $0[identifier] }), !entry.isStopped,
            let channel = channels.channel(named: identifier.channel)
        else { return false }
        return identifier.kind != .source || !entry.plan.isOnDemand || channel.isWatched
    }
}

extension RelayIdentifier {
    /// The position in lists.
    fileprivate var order: Int {
        switch kind {
        case .source: 0
        case .restream(let number): number
        }
    }
}
