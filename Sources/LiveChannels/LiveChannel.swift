import Foundation
import HLSPlaylist
package import Logging
import MediaCore
package import NIOCore
package import Packaging
import Synchronization

/// A channel that one publisher at a time pushes to and any number of viewers watch.
///
/// The publisher's side runs on its event loop, in a ``PublishingEpoch``; what it finishes, a few parts a second, is
/// put here under a lock, which is all that viewers on other loops touch.
package final class LiveChannel: Sendable {
    package let name: String
    package let configuration: ChannelConfiguration
    package let viewers = ViewerCounter()
    let clock: WallClock
    let allocator: ByteBufferAllocator
    let logger: Logger
    private let store: (any ChannelStateStore)?
    private let state: Mutex<State>
    private let bytesOut = Atomic<Int>(0)

    /// Milliseconds after which the media of a channel that nobody pushes to is given up: a player that has waited
    /// this long has shown its error, and one that comes later should not see old pictures.
    package static let retentionMilliseconds: Int64 = 5 * 60_000

    struct State {
        var window: LiveWindow
        var persistent: ChannelState
        var epoch: EpochState?
        var phase = ChannelStatus.State.idle
        var since: Int64?
        var playlists: [String: RenderedPlaylist] = [:]
        var waiters: [Waiter] = []
        var bytesIn = 0
        var packetsLost = 0
        var errors = ErrorLog()
        var isClosed = false
        var nextEpochNumber = 0
    }

    struct EpochState {
        var identifier: String
        var publisher: ChannelStatus.PublisherStatus
        var tracks: [ChannelStatus.TrackStatus]
        var mediaTypes: Set<MediaType> = []
        var onKick: @Sendable (String) -> Void
    }

    struct Waiter {
        var identifier: Int
        var promise: EventLoopPromise<Bool>
    }

    package init(
        configuration: ChannelConfiguration, store: (any ChannelStateStore)?, clock: WallClock = .system,
        allocator: ByteBufferAllocator = ByteBufferAllocator(), logger: Logger
    ) {
        name = configuration.name
        self.configuration = configuration
        self.store = store
        self.clock = clock
        self.allocator = allocator
        var logger = logger
        logger[metadataKey: "channel.name"] = "\(configuration.name)"
        self.logger = logger
        let saved = store?.load(channel: configuration.name)
        state = Mutex(
            State(
                window: LiveWindow(configuration: configuration.packaging),
                persistent: saved ?? ChannelState(nextMediaSequence: 0, discontinuityCount: 0)))
    }

    func withState<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> sending Result {
        try state.withLock(body)
    }

    // MARK: Publishing

    /// Takes the channel for one publisher.
    ///
    /// - Parameters:
    ///   - eventLoop: the publisher's; the epoch is used there only.
    ///   - onKick: called on any thread, with a reason for people, when the push has to end; the epoch has to be ended
    ///     by the caller then, too.
    /// - Throws: ``PublishingError``
    package func beginPublishing(
        _ publisher: Publisher, tracks: [PublishedTrack], on eventLoop: any EventLoop,
        onKick: @escaping @Sendable (String) -> Void
    ) throws(PublishingError) -> PublishingEpoch {
        let preset = publisher.presetName ?? configuration.defaultPreset
        let allowed = configuration.presets.map(\.name)
        guard allowed.contains(preset) || publisher.presetName == nil else {
            throw .unknownPreset(preset, allowed: allowed)
        }
        let now = clock.now()
        let status = ChannelStatus.PublisherStatus(
            address: publisher.remoteAddress, userAgent: publisher.userAgent, transport: publisher.transport,
            preset: preset, since: Date(millisecondsSince1970: now))
        let outcome: Result<String, PublishingError> = state.withLock { state in
            if state.isClosed { return .failure(.closed) }
            if let epoch = state.epoch {
                return .failure(.channelBusy(since: epoch.publisher.since, publisher: epoch.publisher.address))
            }
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            state.nextEpochNumber += 1
            // Unique across restarts by the clock, and within a millisecond by the count.
            let identifier = String(now, radix: 36) + String(state.nextEpochNumber, radix: 36)
            state.epoch = EpochState(
                identifier: identifier, publisher: status, tracks: tracks.map(Self.initialStatus), onKick: onKick)
            return .success(identifier)
        }
        return PublishingEpoch(
            channel: self, identifier: try outcome.get(), tracks: tracks, eventLoop: eventLoop, startedAt: now)
    }

    private static func initialStatus(_ track: PublishedTrack) -> ChannelStatus.TrackStatus {
        var status = ChannelStatus.TrackStatus(id: track.track.id, type: track.track.mediaType.rawValue)
        status.describe(track.configuration)
        return status
    }

    /// Ends the push, if there is one.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func kick(reason: String) -> Bool {
        let onKick = state.withLock { $0.epoch?.onKick }
        onKick?(reason)
        return onKick != nil
    }

    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.promise.succeed(false) }
        kick(reason: "the server is shutting down")
    }

    // MARK: Viewing

    /// What viewers may have now.
    package func window() -> LiveWindow {
        let now = clock.now()
        return state.withLock { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            return state.window
        }
    }

    /// The playlist of that name as it is now, rendered once a revision; `nil` where there is none (yet).
    ///
    /// - Parameter playlist: `playlist` for the multivariant one, or a rendition's name.
    package func playlist(named playlist: Substring) -> RenderedPlaylist? {
        let now = clock.now()
        return state.withLock { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            guard state.window.isPlayable else { return nil }
            let key = String(playlist)
            if let rendered = state.playlists[key] { return rendered }
            let window = state.window
            let rendered: RenderedPlaylist
            if playlist == "playlist" {
                rendered = RenderedPlaylist { window.multivariantPlaylist().rendered() }
            } else if let rendition = window.rendition(named: playlist), !rendition.listed.isEmpty {
                rendered = RenderedPlaylist { window.mediaPlaylist(of: rendition).rendered() }
            } else {
                return nil
            }
            state.playlists[key] = rendered
            return rendered
        }
    }

    package func segment(rendition: Substring, mediaSequence: Int, epoch: Substring) -> LiveSegment? {
        state.withLock { $0.window.rendition(named: rendition)?.segment(mediaSequence: mediaSequence, epoch: epoch) }
    }

    package func initializationSection(rendition: Substring, number: Int, epoch: Substring) -> ByteBuffer? {
        state.withLock { $0.window.rendition(named: rendition)?.initializationSection(epoch: epoch, number: number) }
    }

    package func countSent(byteCount: Int) { bytesOut.wrappingAdd(byteCount, ordering: .relaxed) }

    var sentByteCount: Int { bytesOut.load(ordering: .relaxed) }

    /// Old media is not shown to a viewer who comes long after the push has ended.
    static func dropStaleMedia(_ state: inout State, configuration: ChannelConfiguration, now: Int64) {
        guard state.epoch == nil, let since = state.since, !state.window.renditions.isEmpty,
            now - since >= retentionMilliseconds
        else { return }
        state.window = LiveWindow(configuration: configuration.packaging)
        state.playlists = [:]
        if state.phase == .interrupted {
            state.phase = .idle
            state.since = since + retentionMilliseconds
        }
    }

    func save(_ persistent: ChannelState) { store?.save(persistent, channel: name) }
}
