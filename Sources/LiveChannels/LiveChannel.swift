import HLSPlaylist
package import Logging
import MediaCore
package import NIOCore
import Packaging
import Synchronization

/// A channel that one publisher at a time pushes to and any number of viewers watch.
///
/// The publisher's side runs on its event loop, in a ``PublishingEpoch``; what it finishes, a few parts a second, is
/// put here under a lock, which is all that viewers on other loops touch.
package final class LiveChannel: Sendable {
    package let name: String
    package let viewers = ViewerCounter()
    /// For those who read the channel by RTSP.
    package let fanOut = LiveFanOut()
    let promptness = PromptnessDemand()
    let clock: WallClock
    let allocator: ByteBufferAllocator
    let logger: Logger
    /// `nil` where foreign codecs are left out.
    let transcoders: (any LiveTranscoderFactory)?
    /// `nil` where nothing is shown while the publisher is away.
    let slates: (any SlateSource)?
    /// `nil` where nothing is kept on disk.
    let archive: ChannelArchive?
    private let store: (any ChannelStateStore)?
    private let state: Mutex<State>
    private let settings: Mutex<Settings>
    private let bytesOut = Atomic<Int>(0)
    private let epochCount = Atomic<Int>(0)

    /// Milliseconds after which the media of a channel that nobody pushes to is given up: a player that has waited
    /// this long has shown its error, and one that comes later should not see old pictures.
    package static let retentionMilliseconds: Int64 = 5 * 60_000

    /// What `channels.json` says of the channel, in one object, so that reading it copies a reference.
    final class Settings: Sendable {
        let configuration: ChannelConfiguration

        init(_ configuration: ChannelConfiguration) { self.configuration = configuration }
    }

    struct State {
        /// As the channel is cut now: the target duration is that of its playlists.
        var packaging: LivePackagingConfiguration
        var window: LiveWindow
        var former: FormerWindow?
        var persistent: ChannelState
        /// The push that is shown.
        var epoch: EpochState?
        /// Pushes that have been accepted and are shown one after the other, oldest first; see
        /// ``PublishingPolicy/SecondPublisher``. Empty while there is none to wait for.
        var waitingEpochs: [EpochState] = []
        var phase = ChannelStatus.State.idle
        var since: Int64?
        /// Since when nobody has pushed; `nil` while somebody does, and before the first push.
        var lostAt: Int64?
        var lossTimer: Scheduled<Void>?
        /// Of the push that ended last.
        var lossLoop: (any EventLoop)?
        /// When a player last asked for a playlist of this window.
        var watchedAt: Int64?
        /// Like the channel as it was last shown.
        var slate: MadeSlate?
        var slateAskedFor: SlateOccasion?
        /// As they were last asked for; each until something in it changes.
        var playlists: [LivePlaylistRequest: RenderedPlaylist] = [:]
        var waiters = ViewerWaiters()
        var bytesIn = 0
        var bytesDiscarded = 0
        var packetsLost = 0
        var errors = ErrorLog()
        var metadataCounter = MetadataCounter()
        var isClosed = false
        /// The channel is no longer in `channels.json`: its playlists end when its push has ended.
        var isRetired = false
        /// Milliseconds since 1970 at which the newest segment of the window ends.
        var windowEnd: Int64?
        /// Where all media so far ends on the channel's own timeline, which epochs continue.
        var mediaEnd: MediaTime?
        /// When a player last asked for a rendition's playlist.
        var askedForAt: [MediaType: Int64] = [:]
        /// Of the window's renditions, as publishers have sent them; a slate has its own.
        var codecs: [MediaType: String] = [:]
    }

    struct EpochState {
        var identifier: String
        var publisher: ChannelStatus.PublisherStatus
        var tracks: [ChannelStatus.TrackStatus]
        /// One for each of the tracks.
        var meters: [RateMeter]
        var mediaTypes: Set<MediaType> = []
        /// Renditions that the push does not have, and that are filled while viewers need them.
        var standIns: Set<MediaType> = []
        /// Of the leading track, while it is packaged.
        var keyFrames: KeyFrameMeter?
        /// Shown while the publisher is away; whoever pushes takes the channel from it at once.
        var isSlate = false
        /// Another publisher takes over as soon as this push has ended.
        var isBeingReplaced = false
        /// The preset that the push promised, as it was when the push began.
        var preset: QualityPreset?
        /// On any thread.
        var onKick: @Sendable (String) -> Void
        /// On any thread: the push is shown from now on.
        var onTurn: @Sendable () -> Void
        /// On any thread; see ``LiveChannel/announce(_:)``.
        var onMetadata: @Sendable (TimedMetadata) -> EventLoopFuture<Result<DateRange, TimedMetadataError>>
    }

    /// - Parameters:
    ///   - transcoders: for tracks that HLS does not carry; without it they are left out.
    ///   - archive: for time shift and recordings; without it there are neither.
    package init(
        configuration: ChannelConfiguration, store: (any ChannelStateStore)?,
        transcoders: (any LiveTranscoderFactory)? = nil, slates: (any SlateSource)? = nil,
        archive: ArchiveWriter? = nil, clock: WallClock = .system,
        allocator: ByteBufferAllocator = ByteBufferAllocator(), logger: Logger
    ) {
        name = configuration.name
        settings = Mutex(Settings(configuration))
        self.store = store
        self.transcoders = transcoders
        self.slates = slates
        self.archive = archive.map { ChannelArchive(configuration: configuration, writer: $0) }
        self.clock = clock
        self.allocator = allocator
        var logger = logger
        logger[metadataKey: "channel.name"] = "\(configuration.name)"
        self.logger = logger
        let archivedSeconds = archive == nil ? 0 : configuration.archive.windowSeconds
        let saved = store?.load(channel: configuration.name)
        var state = State(
            packaging: configuration.packaging,
            window: LiveWindow(configuration: configuration.packaging, archivedSeconds: archivedSeconds),
            persistent: saved ?? ChannelState(nextMediaSequence: 0, discontinuityCount: 0))
        state.restoreTargetDuration(configuration, saved: saved, now: clock.now())
        state.mediaEnd = saved?.mediaStart(now: clock.now())
        if let past = self.archive?.restore(before: saved, targetDuration: state.packaging.targetDuration) {
            state.window.restore(past)
            state.windowEnd = past.endDate
            state.since = past.endDate
        }
        self.state = Mutex(state)
    }

    /// The channel as `channels.json` describes it now.
    package var configuration: ChannelConfiguration { settings.withLock { $0 }.configuration }

    /// - Returns: the configuration before.
    func exchange(_ configuration: ChannelConfiguration) -> ChannelConfiguration {
        let new = Settings(configuration)
        return settings.withLock { settings in
            defer { settings = new }
            return settings
        }.configuration
    }

    func withState<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> sending Result {
        try state.withLock(body)
    }

    package func countSent(byteCount: Int) { bytesOut.wrappingAdd(byteCount, ordering: .relaxed) }

    var sentByteCount: Int { bytesOut.load(ordering: .relaxed) }

    /// Seconds: of the playlists as they are now.
    package var targetDuration: Int { withState { $0.packaging.targetDuration } }

    /// Old media is not shown to a viewer who comes long after the push has ended, and playlists end where the channel
    /// says so.
    static func dropStaleMedia(_ state: inout State, configuration: ChannelConfiguration, now: Int64) {
        state.endPlaylists(configuration.onLoss, now: now)
        guard state.epoch == nil, let since = state.since, !state.window.renditions.isEmpty,
            now - since >= retentionMilliseconds
        else { return }
        let archivedSeconds = state.window.archivedSeconds
        if archivedSeconds > 0, !state.window.hasEnded,
            now - (state.windowEnd ?? 0) < Int64(archivedSeconds) * 1_000
        {
            // The next push goes on from there.
            state.window.park()
        } else {
            state.window = LiveWindow(
                configuration: state.packaging, archivedSeconds: archivedSeconds,
                codecGeneration: state.window.codecGeneration)
            state.windowEnd = nil
        }
        state.former = nil
        state.slate = nil
        state.playlists = [:]
        if state.phase == .interrupted {
            state.phase = .idle
            state.since = since + retentionMilliseconds
        }
    }

    /// Unique across restarts by the clock, and within a millisecond by the count.
    func makeEpochIdentifier(now: Int64) -> String {
        String(now, radix: 36) + String(epochCount.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }

    func save(_ persistent: ChannelState) { store?.save(persistent, channel: name) }
}
