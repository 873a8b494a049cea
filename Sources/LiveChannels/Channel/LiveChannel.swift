import HLSPlaylist
import LogMetadata
package import Logging
package import MediaCore
package import NIOCore
import Packaging
import Synchronization

/// A channel to which one publisher at a time pushes, and which any number of viewers watch.
///
/// The publisher's side runs on its event loop, in a ``PublishingEpoch``. What it finishes, a few parts a second, is
/// stored here under a lock; viewers on other loops use only this state.
package final class LiveChannel: Sendable {
    package let name: String
    package let viewers = ViewerCounter()
    /// Delivers the push to RTSP readers.
    package let fanOut = LiveFanOut()
    /// Delivers the push with the scoreboard in the picture to restreams.
    package let drawnFanOut = LiveFanOut()
    let promptness = TrackPromptness()
    let clock: WallClock
    /// The time from the arrival of the unit that completes a part until players can get the part; shared by all
    /// channels.
    let partLatency: LatencyHistogram
    let allocator: ByteBufferAllocator
    let logger: Logger
    /// `nil` if tracks with foreign codecs are left out.
    let transcoders: (any LiveTranscoderFactory)?
    /// `nil` if channels have only what publishers send.
    let ladders: (any LiveLadderFactory)?
    /// `nil` if nothing is shown while the publisher is away.
    let slates: (any SlateSource)?
    /// `nil` if nothing is stored on disk.
    let archive: ChannelArchive?
    private let store: (any ChannelStateStore)?
    /// Is told what happens; `nil` for nobody.
    private let observer: LiveChannelEvent.Observer?
    private let state: Mutex<State>
    private let settings: Mutex<Settings>
    /// The scoreboard that is drawn into a quality of the ladder.
    package let boards = ChannelBoards()
    private let bytesOut = Atomic<Int>(0)
    private let epochCount = Atomic<Int>(0)

    /// The time after which the media of a channel without a publisher is dropped: a player that has waited this long
    /// has shown an error, and one that comes later should not see old media.
    package static let retention = Duration.seconds(5 * 60)

    /// The channel's entry in `channels.json`, in an object, so that reading it copies a reference.
    final class Settings: Sendable {
        let configuration: ChannelConfiguration

        init(_ configuration: ChannelConfiguration) { self.configuration = configuration }
    }

    struct State {
        /// The current durations of parts and segments; the target duration is that of the playlists.
        var packaging: LivePackagingConfiguration
        var window: LiveWindow
        var former: FormerWindow?
        var persistent: ChannelState
        /// The push or slate that is shown, and the pushes that wait.
        var presence = ChannelPresence<EpochState>()
        var lossTimer: Scheduled<Void>?
        /// The event loop of the push that ended last.
        var lossLoop: (any EventLoop)?
        /// Time at which a player last requested a playlist of this window.
        var watchedAt: WallClockTime?
        /// The slate for the channel's media as it was last shown.
        var slate: MadeSlate?
        var slateAskedFor: SlateOccasion?
        /// Rendered playlists, each kept until something in it changes.
        var playlists: [LivePlaylistRequest: RenderedPlaylist] = [:]
        let manifests = ManifestHistory()
        var waiters = ViewerWaiters()
        var bytesIn = 0
        var bytesDiscarded = 0
        var packetsLost = 0
        var errors = ErrorLog()
        var quality = QualityWatch()
        var gaps = MediaGaps()
        var metadataCounter = MetadataCounter()
        /// The push that observers were told of; `nil` once they were told of its end.
        var announcedEpoch: String?
        /// The end of the window's newest segment.
        var windowEnd: WallClockTime?
        /// The end of all media so far on the channel's own timeline, which epochs continue.
        var mediaEnd: MediaTime?
        /// Times at which a player last requested a rendition's playlist.
        var askedForAt: [RenditionID: WallClockTime] = [:]
        /// The names of the codecs in which publishers have sent the window's renditions. A slate has its own codecs.
        var codecs: [RenditionID: String] = [:]

        /// Whether somebody who watches makes a push begin.
        var expectsPush = false

        /// The push or the slate that is shown; `nil` if there is none.
        var epoch: EpochState? { presence.shown }
        /// Whether it makes sense to wait for media.
        var mayBegin: Bool { epoch != nil || expectsPush }
    }

    struct EpochState: PresentPush {
        var identifier: String
        /// The time of its admission.
        var beganAt: WallClockTime
        var publisher: ChannelStatus.PublisherStatus
        var tracks: [ChannelStatus.TrackStatus]
        /// One meter per track.
        var meters: [RateMeter]
        var renditions: Set<RenditionID> = []
        /// The lower qualities that are made of the push; empty for none.
        var ladder: [ChannelStatus.RungStatus] = []
        /// Renditions that the push does not have, and that are filled while viewers need them.
        var standIns: Set<RenditionID> = []
        /// Measured for the leading track, while it is packaged.
        var keyFrames: KeyFrameMeter?
        /// The preset that the push promised, as configured when the push began.
        var preset: QualityPreset?
        /// Ends the push. Callable on any thread.
        var onKick: @Sendable (String) -> Void
        /// Begins to show the push. Callable on any thread.
        var onTurn: @Sendable () -> Void
        /// Lets the publisher's side know that somebody has begun to need packets as they arrive. Callable on any
        /// thread.
        var onHurry: @Sendable () -> Void
        /// Announces metadata. Callable on any thread; see ``LiveChannel/announce(_:)``.
        var onMetadata: @Sendable (TimedMetadata) -> EventLoopFuture<Result<DateRange, TimedMetadataError>>

        /// The time at which media last came, to within ``RateMeter/intervalDuration``.
        var heardAt: WallClockTime { meters.compactMap(\.newestAt).max().map { max($0, beganAt) } ?? beganAt }
    }

    /// - Parameters:
    ///   - configuration: the channel's configuration.
    ///   - equipment: what the channel uses of the server.
    ///   - clock: the clock for wall-clock times.
    ///   - partLatency: receives how long parts take to be published.
    ///   - allocator: allocates the buffers of media.
    ///   - logger: receives the log.
    package init(
        configuration: ChannelConfiguration, with equipment: ChannelEquipment = ChannelEquipment(),
        clock: WallClock = .system,
        partLatency: LatencyHistogram = LatencyHistogram(bounds: LatencyHistogram.memoryBounds),
        allocator: ByteBufferAllocator = ByteBufferAllocator(), logger: Logger
    ) {
        let store = equipment.store
        observer = equipment.observer
        self.partLatency = partLatency
        name = configuration.name
        settings = Mutex(Settings(configuration))
        self.store = store
        transcoders = equipment.transcoders
        ladders = equipment.ladders
        slates = equipment.slates
        archive = equipment.archive.map { ChannelArchive(configuration: configuration, writer: $0) }
        self.clock = clock
        self.allocator = allocator
        var logger = logger
        logger[.channelName] = "\(configuration.name)"
        self.logger = logger
        let archivedSeconds = equipment.archive == nil ? 0 : configuration.archive.windowSeconds
        let saved = store?.load(channel: configuration.name)
        var state = State(
            packaging: configuration.packaging,
            window: LiveWindow(configuration: configuration.packaging, archivedSeconds: archivedSeconds),
            persistent: saved ?? ChannelState(nextMediaSequence: 0, discontinuityCount: 0))
        state.expectsPush = configuration.relays.bringsPush
        state.restoreTargetDuration(configuration, saved: saved, now: clock.now())
        state.mediaEnd = saved?.mediaStart(now: clock.now())
        state.window.presentationStart = saved?.presentationStart(
            now: clock.now(), retention: Self.retention)
        if let past = archive?.restore(before: saved, targetDuration: state.packaging.targetDuration) {
            state.window.restore(past, origins: saved?.origins ?? [])
            state.window.presentationStart = saved?.presentationStart ?? state.window.firstDate
            state.windowEnd = past.endDate
            state.presence = ChannelPresence(since: past.endDate)
        }
        self.state = Mutex(state)
    }

    /// The channel's current entry in `channels.json`.
    package var configuration: ChannelConfiguration { settings.withLock { $0 }.configuration }

    /// Replaces the configuration.
    ///
    /// - Returns: the previous configuration.
    func exchange(_ configuration: ChannelConfiguration) -> ChannelConfiguration {
        let new = Settings(configuration)
        return settings.withLock { settings in
            defer { settings = new }
            return settings
        }.configuration
    }

    /// Runs a closure on the channel's state, with the lock held.
    func withState<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> sending Result {
        try state.withLock(body)
    }

    /// Tells the observer that a push can be watched; a slate is no push.
    func announce(epoch: String, codecs: [String]) {
        let isPush = withState { state in
            guard !state.presence.isSlate, state.epoch?.identifier == epoch else { return false }
            state.announcedEpoch = epoch
            return true
        }
        if isPush { tell(.up(codecs: codecs)) }
    }

    /// Tells the observer that something has happened.
    func tell(_ kind: LiveChannelEvent.Kind) {
        observer?(LiveChannelEvent(channel: name, kind: kind, happenedAt: clock.now()))
    }

    /// Adds to the bytes sent to viewers.
    package func countSent(byteCount: Int) { bytesOut.wrappingAdd(byteCount, ordering: .relaxed) }

    var sentByteCount: Int { bytesOut.load(ordering: .relaxed) }

    /// The current target duration of the playlists, in seconds.
    package var targetDuration: Int { withState { $0.packaging.targetDuration } }

    /// Drops old media, so that it is not shown to a viewer who comes long after the push has ended, and ends playlists
    /// if the channel is configured to do so.
    static func dropStaleMedia(_ state: inout State, configuration: ChannelConfiguration, now: WallClockTime) {
        state.endPlaylists(configuration.onLoss, now: now)
        guard state.presence.isVacant, let since = state.presence.since, !state.window.renditions.isEmpty,
            now - since >= retention
        else { return }
        let archivedSeconds = state.window.archivedSeconds
        if archivedSeconds > 0, !state.window.hasEnded,
            state.windowEnd.map({ now - $0 < .seconds(archivedSeconds) }) ?? false
        {
            // The next push continues from there.
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
        if state.presence.status == .interrupted { state.presence.waitingIsOver(at: since + retention) }
    }

    /// An identifier that is unique across restarts because of the clock, and within a millisecond because of the
    /// count.
    func makeEpochIdentifier(now: WallClockTime) -> String {
        String(now.millisecondsSince1970, radix: 36)
            + String(epochCount.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }

    func save(_ persistent: ChannelState) { store?.save(persistent, channel: name) }
}
