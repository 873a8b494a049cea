package import Logging
package import MediaCore
package import NIOCore
import Synchronization

/// The current channels. Channels may be looked up from any thread at any time.
package final class LiveChannelDirectory: Sendable {
    private let snapshot: Mutex<Snapshot>
    /// Locked while the channels change, so that changes are made one after the other.
    private let change = Mutex(())
    private let clock: WallClock
    /// The time from the arrival of the unit that completes a part until players can get the part, on all channels.
    package let partLatency = LatencyHistogram(bounds: LatencyHistogram.memoryBounds)
    private let makeChannel: @Sendable (ChannelConfiguration) -> LiveChannel

    private struct Snapshot {
        /// The channels in the configuration's order.
        var all: [LiveChannel] = []
        var byName: [String: LiveChannel] = [:]
        /// Channels that have been removed, for players that still hold their playlists.
        var retired: [String: Retired] = [:]
        var isClosed = false
        var changeCount = 0

        mutating func list(_ channels: [LiveChannel]) {
            all = channels
            byName = Dictionary(channels.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private struct Retired {
        var channel: LiveChannel
        var expiry: WallClockTime
    }

    /// Creates the channels and deletes the time-shift files of channels that are gone.
    ///
    /// - Parameters:
    ///   - configurations: The configuration of each channel.
    ///   - equipment: What the channels use of the server.
    ///   - clock: The clock for wall-clock times.
    ///   - allocator: Allocates the buffers of media.
    ///   - logger: Receives the log.
    package init(
        configurations: [ChannelConfiguration], with equipment: ChannelEquipment = ChannelEquipment(),
        clock: WallClock = .system, allocator: ByteBufferAllocator = ByteBufferAllocator(), logger: Logger
    ) {
        self.clock = clock
        let makeChannel: @Sendable (ChannelConfiguration) -> LiveChannel = { [partLatency] configuration in
            LiveChannel(
                configuration: configuration, with: equipment, clock: clock, partLatency: partLatency,
                allocator: allocator, logger: logger)
        }
        self.makeChannel = makeChannel
        equipment.archive?.deleteWindows(exceptOf: Set(configurations.map(\.name)))
        var snapshot = Snapshot()
        snapshot.list(configurations.map(makeChannel))
        self.snapshot = Mutex(snapshot)
    }

    /// The channels in the configuration's order.
    package var all: [LiveChannel] { snapshot.withLock { $0.all } }

    /// The number of times that the channels or their configurations have changed, for those that follow them.
    package var changeCount: Int { snapshot.withLock { $0.changeCount } }

    /// Finds a channel.
    ///
    /// - Parameter name: the channel's name, without the `.stream` that URLs append.
    package func channel(named name: String) -> LiveChannel? { snapshot.withLock { $0.byName[name] } }

    /// Finds a channel, or one that was removed so recently that players may still hold its playlists.
    ///
    /// - Parameter name: the channel's name, without the `.stream` that URLs append.
    package func viewableChannel(named name: String) -> LiveChannel? {
        snapshot.withLock { $0.byName[name] ?? $0.retired[name]?.channel }
    }

    /// Ends all pushes and accepts no more, for shutdown.
    package func close() {
        let channels = snapshot.withLock { snapshot in
            snapshot.isClosed = true
            return snapshot.all
        }
        for channel in channels { channel.close() }
    }

    // MARK: Changes

    /// Adds, changes and removes channels, so that exactly those of the list exist. Channels with an unchanged
    /// configuration are not touched.
    ///
    /// Blocks while new channels read their state from disk.
    package func reconfigure(_ configurations: [ChannelConfiguration]) -> LiveChannelChanges {
        change.withLock { _ in
            let (present, retired, isClosed) = snapshot.withLock { ($0.byName, $0.retired, $0.isClosed) }
            guard !isClosed else { return LiveChannelChanges() }
            var changes = LiveChannelChanges()
            let listed = configurations.map { configuration in
                let name = configuration.name
                if let channel = present[name] {
                    if channel.configuration != configuration { changes.changed.append(name) }
                    return channel
                }
                changes.added.append(name)
                return retired[name]?.channel ?? makeChannel(configuration)
            }
            let names = Set(configurations.map(\.name))
            let removed = snapshot.withLock { snapshot in
                let removed = snapshot.all.filter { !names.contains($0.name) }
                for name in names { snapshot.retired[name] = nil }
                for channel in removed {
                    // The expiry is set once the push has ended and the duration of the playlists is known.
                    snapshot.retired[channel.name] = Retired(channel: channel, expiry: .distantFuture)
                }
                snapshot.list(listed)
                return removed
            }
            for (channel, configuration) in zip(listed, configurations) { channel.reconfigure(configuration) }
            snapshot.withLock { $0.changeCount += 1 }
            for channel in removed { retire(channel) }
            changes.removed = removed.map(\.name)
            return changes
        }
    }

    private func retire(_ channel: LiveChannel) {
        channel.retire()
        let expiry = clock.now() + channel.retirement
        snapshot.withLock { $0.retired[channel.name]?.expiry = expiry }
    }

    /// Drops removed channels whose playlists no player can still need. Call it regularly.
    package func dropRetired() {
        let now = clock.now()
        let dropped = snapshot.withLock { snapshot in
            let dropped = snapshot.retired.filter { now >= $0.value.expiry }
            for name in dropped.keys { snapshot.retired[name] = nil }
            return dropped.values.map(\.channel)
        }
        for channel in dropped { channel.discard() }
    }
}
