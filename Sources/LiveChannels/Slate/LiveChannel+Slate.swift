import Foundation
import Logging
import MediaCore
import NIOCore
import Packaging

/// What viewers see while the publisher is away, where the channel says `slate`.
extension LiveChannel {
    /// What a slate is asked for, once each.
    enum SlateOccasion: Sendable, Hashable {
        /// Ahead: for when it ends.
        case push(epoch: String)
        /// By its beginning.
        case absence(lostAt: Int64)
    }

    /// A slate and what it is made for.
    struct MadeSlate: Sendable {
        var shape: SlateShape
        var design: SlateDesign
        /// `nil` until it has been made, and where it cannot be.
        var slate: Slate?
        var isBeingMade = true
    }

    /// Milliseconds without a publisher before the slate is shown: an encoder that reconnects at once, as most do when
    /// a packet is lost, is back before viewers have played what they hold.
    package static let slateGraceMilliseconds: Int64 = 2_000

    /// Somebody watches by HLS, or reads by RTSP.
    var isWatched: Bool {
        heldRequestCount > 0 || fanOut.isRead || viewers.count(now: clock.now()) > 0
    }

    /// Where somebody watches: has the slate made, or looked after, and shows it as soon as it is there and the grace is
    /// over. Called when a push has ended and none follows, when the grace is over, when the slate has been made, and
    /// when a viewer comes: on an idle channel that nobody watches, none of it costs anything.
    func offerSlate(on eventLoop: any EventLoop) {
        guard configuration.onLoss.action == .slate, isWatched else { return }
        makeSlate { state in state.absence.map { .absence(lostAt: $0) } }
        showSlate(on: eventLoop)
    }

    /// While somebody watches a push that has gone on for a window's length: a long clip takes longer than players bear
    /// to wait, and an operator learns in time that there is none.
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
            logger.warning("the slate cannot be made", metadata: ["error": "\(error)"])
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
            identifier: identifier,
            publisher: ChannelStatus.PublisherStatus(
                address: "slate", userAgent: nil, transport: "", preset: configuration.defaultPreset,
                since: Date(millisecondsSince1970: now)),
            tracks: tracks.map(ChannelStatus.TrackStatus.init), meters: tracks.map { _ in RateMeter() }, isSlate: true,
            onKick: { reason in eventLoop.execute { bound.value.end(reason: reason) } }, onTurn: {},
            onMetadata: { [name] _ in eventLoop.makeSucceededFuture(.failure(Self.notLive(name))) })
        let hasChannel = withState { state in
            guard state.slateToShow != nil else { return false }
            state.epoch = entry
            state.phase = .interrupted
            return true
        }
        guard hasChannel else { return }
        logger.info("the slate is shown")
        feed.begin()
    }
}

extension LiveChannel.State {
    /// Like the channel's own pictures and sound as they were last; `nil` where there were no pictures.
    fileprivate var slateShape: SlateShape? {
        guard let video = window.renditions.first(where: { $0.mediaType == .video && $0.isOffered }),
            let frameRate = video.frameRate
        else { return nil }
        let audio = window.renditions.first { $0.mediaType == .audio && $0.isOffered }
        return SlateShape(
            video: video.configuration, measuredFrameRate: frameRate, segmentDuration: packaging.segmentDuration,
            audio: audio?.configuration)
    }

    /// What to have made; `nil` where that was asked for before, is being made, or cannot be made.
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

    /// Since when nobody has pushed, where somebody had.
    fileprivate var absence: Int64? { epoch == nil && !isClosed ? lostAt : nil }

    /// A push whose pictures fill the window.
    fileprivate var matureEpoch: String? {
        guard let epoch, !epoch.isSlate, let leading = window.renditions.first else { return nil }
        let newest = leading.listed.suffix(packaging.minimumSegmentCount)
        let fills = newest.count == packaging.minimumSegmentCount && newest.first?.epoch == epoch.identifier
        return fills ? epoch.identifier : nil
    }

    /// Nobody has come back, and the grace is over.
    fileprivate var slateToShow: Slate? { absence != nil && lossTimer == nil ? slate?.slate : nil }

    /// Where the slate stands, or could stand, for who comes now.
    var awaitsViewer: Bool {
        guard let absence, lossTimer == nil, !window.hasEnded else { return false }
        return slate?.slate != nil || awaits(.absence(lostAt: absence))
    }

    /// It has not been asked for in this push, and could be.
    var awaitsSlate: Bool { matureEpoch.map { awaits(.push(epoch: $0)) } ?? false }

    private func awaits(_ occasion: LiveChannel.SlateOccasion) -> Bool {
        slateAskedFor != occasion && slate?.isBeingMade != true
    }
}
