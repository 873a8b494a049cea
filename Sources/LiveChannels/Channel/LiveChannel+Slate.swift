import Foundation
import Logging
import LogMetadata
import MediaCore
import NIOCore
import Packaging

/// The slate that viewers see while the publisher is away, if the channel is configured for one.
extension LiveChannel {
    /// An occasion on which a slate is requested, once for each.
    enum SlateOccasion: Sendable, Hashable {
        /// The slate is requested in advance, for the end of a push.
        case push(epoch: String)
        /// The slate is requested because the publisher is away since the given time.
        case absence(lostAt: WallClockTime)
    }

    /// A slate together with the request for which it is made.
    struct MadeSlate: Sendable {
        var shape: SlateShape
        var design: SlateDesign
        /// `nil` until the slate has been made, and if it cannot be made.
        var slate: Slate?
        var isBeingMade = true
    }

    /// The time without a publisher before the slate is shown. An encoder that reconnects at once, as most do after a
    /// lost packet, is back before viewers have played what they hold.
    package static let slateGrace = Duration.seconds(2)

    /// The push as restreams of the channel get it.
    package var restreamed: LiveFanOut { configuration.relays.restreamsScoreboard ? drawnFanOut : fanOut }

    /// True if anybody watches by HLS or reads by RTSP.
    package var isWatched: Bool {
        heldRequestCount > 0 || fanOut.isRead || viewers.count(now: clock.now()) > 0
    }

    /// Requests the slate if somebody watches, and shows it as soon as it is there and the grace period is over. Called
    /// when a push has ended and none follows, when the grace period is over, when the slate has been made, and when a
    /// viewer arrives. On an idle channel that nobody watches, none of this costs anything.
    func offerSlate(on eventLoop: any EventLoop) {
        guard configuration.onLoss.action == .slate, isWatched else { return }
        makeSlate { state in state.presence.lostAt.map { .absence(lostAt: $0) } }
        showSlate(on: eventLoop)
    }

    /// Requests the slate in advance while somebody watches a push that has lasted for a window's length: a long clip
    /// takes longer to make than players are willing to wait, and an operator learns in time that it cannot be made.
    func prepareSlate() {
        guard configuration.onLoss.action == .slate, isWatched else { return }
        makeSlate { state in state.matureEpoch.map { .push(epoch: $0) } }
    }

    private func makeSlate(for occasion: (State) -> SlateOccasion?) {
        let design = configuration.slateDesign
        guard let slates, let request = withState({ $0.requestSlate(for: occasion($0), design) }) else { return }
        slates.makeSlate(
            request.shape, design: request.design, channel: name, present: request.slate
        ) { [self] result in
            take(result, of: request)
            if let lossLoop = withState(\.lossLoop) { lossLoop.execute { self.offerSlate(on: lossLoop) } }
        }
    }

    private func take(_ result: Result<Slate, any Error>, of request: MadeSlate) {
        let now = clock.now()
        withState { state in
            if state.slate?.shape == request.shape, state.slate?.design == request.design {
                state.slate?.isBeingMade = false
                if case .success(let slate) = result { state.slate?.slate = slate }
            }
            if case .failure(let error) = result { state.errors.add("the slate cannot be made: \(error)", at: now) }
        }
        if case .failure(let error) = result {
            logger.warning("slate cannot be made", metadata: [.error: "\(error)"])
        }
    }

    private func showSlate(on eventLoop: any EventLoop) {
        guard let slate = withState({ $0.slateToShow }) else { return }
        let now = clock.now()
        let identifier = makeEpochIdentifier(now: now)
        let tracks = SlateFeed.tracks(of: slate)
        let epoch = PublishingEpoch(
            channel: self, identifier: identifier, tracks: tracks, eventLoop: eventLoop, preset: nil, onKick: { _ in })
        let feed = SlateFeed(slate, epoch: epoch, channel: self, eventLoop: eventLoop)
        let bound = NIOLoopBound(feed, eventLoop: eventLoop)
        let entry = EpochState(
            identifier: identifier, beganAt: now,
            publisher: ChannelStatus.PublisherStatus(
                address: "slate", userAgent: nil, transport: "", preset: configuration.defaultPreset,
                since: Date(now)),
            tracks: tracks.map(ChannelStatus.TrackStatus.init), meters: tracks.map { _ in RateMeter() },
            onKick: { reason in eventLoop.execute { bound.value.end(reason: reason) } }, onTurn: {}, onHurry: {},
            onMetadata: { [name] _ in eventLoop.makeSucceededFuture(.failure(Self.notLive(name))) })
        let hasChannel = withState { state in
            state.slateToShow != nil && state.presence.show(slate: entry)
        }
        guard hasChannel else { return }
        logger.info("slate shown")
        feed.begin()
    }
}

extension LiveChannel.State {
    /// The shape of the channel's own video and audio as they were last; `nil` if there was no video.
    fileprivate var slateShape: SlateShape? {
        guard let video = window.renditions.first(where: { $0.mediaType == .video && $0.isOffered }),
            let frameRate = video.frameRate
        else { return nil }
        let audio = window.renditions.first { $0.mediaType == .audio && $0.isOffered }
        return SlateShape(
            video: video.configuration, measuredFrameRate: frameRate, segmentDuration: packaging.segmentDuration,
            audio: audio?.configuration)
    }

    /// The request for a slate; `nil` if it has been requested before, is being made, or cannot be made.
    fileprivate mutating func requestSlate(
        for occasion: LiveChannel.SlateOccasion?, _ design: SlateDesign
    ) -> LiveChannel.MadeSlate? {
        guard let occasion, awaits(occasion) else { return nil }
        slateAskedFor = occasion
        guard let shape = slateShape else { return nil }
        let present = slate.flatMap { $0.shape == shape && $0.design.looksLike(design) ? $0.slate : nil }
        let request = LiveChannel.MadeSlate(shape: shape, design: design, slate: present)
        slate = request
        return request
    }

    /// The identifier of the push whose media fills the window; `nil` if there is none.
    fileprivate var matureEpoch: String? {
        guard let epoch, !presence.isSlate, let leading = window.renditions.first else { return nil }
        let newest = leading.listed.suffix(packaging.minimumSegmentCount)
        let fills = newest.count == packaging.minimumSegmentCount && newest.first?.epoch == epoch.identifier
        return fills ? epoch.identifier : nil
    }

    /// The slate to show; `nil` if there is none, the publisher is back, or the grace period is not over.
    fileprivate var slateToShow: Slate? { presence.slateIsDueSince != nil ? slate?.slate : nil }

    /// True if the arrival of a viewer should request or show the slate.
    var awaitsViewer: Bool {
        guard let absence = presence.slateIsDueSince, !window.hasEnded else { return false }
        return slate?.slate != nil || awaits(.absence(lostAt: absence))
    }

    /// True if the slate can be requested for this push and has not been.
    var awaitsSlate: Bool { matureEpoch.map { awaits(.push(epoch: $0)) } ?? false }

    private func awaits(_ occasion: LiveChannel.SlateOccasion) -> Bool {
        slateAskedFor != occasion && slate?.isBeingMade != true
    }
}
