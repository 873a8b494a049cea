package import Logging
package import NIOCore

/// The channels there are: fixed when the server starts.
package final class LiveChannelDirectory: Sendable {
    /// In the configuration's order.
    package let all: [LiveChannel]
    private let byName: [String: LiveChannel]

    package init(
        configurations: [ChannelConfiguration], store: (any ChannelStateStore)?,
        transcoders: (any LiveTranscoderFactory)? = nil, slates: (any SlateSource)? = nil,
        archive: ArchiveWriter? = nil, clock: WallClock = .system,
        allocator: ByteBufferAllocator = ByteBufferAllocator(), logger: Logger
    ) {
        all = configurations.map {
            LiveChannel(
                configuration: $0, store: store, transcoders: transcoders, slates: slates, archive: archive,
                clock: clock,
                allocator: allocator, logger: logger)
        }
        archive?.deleteWindows(exceptOf: Set(configurations.map(\.name)))
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter name: without the `.stream` that URLs have behind it.
    package func channel(named name: String) -> LiveChannel? { byName[name] }

    /// Ends all pushes and takes no more: for shutdown.
    package func close() {
        for channel in all { channel.close() }
    }
}
