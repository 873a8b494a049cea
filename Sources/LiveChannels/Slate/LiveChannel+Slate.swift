import Foundation
import Logging
import MediaCore
import NIOCore
import Packaging

/// What viewers see while the publisher is away, where the channel says `slate`.
extension LiveChannel {
    /// A slate and what it was made for.
    struct MadeSlate: Sendable {
        var shape: SlateShape
        /// `nil` while it is being made.
        var slate: Slate?
    }

    /// Milliseconds without a publisher before the slate is shown: an encoder that reconnects at once, as most do when
    /// a packet is lost, is back before viewers have played what they hold.
    package static let slateGraceMilliseconds: Int64 = 2_000

    /// Somebody watches by HLS, or reads by RTSP.
    var isWatched: Bool {
        heldRequestCount > 0 || fanOut.isRead || viewers.count(now: clock.now()) > 0
    }

    /// Called when a push has ended and no other one follows: by the time the grace is over, the slate is there.
    func prepareSlate(on eventLoop: any EventLoop) {
        guard configuration.onLoss.action == .slate, let slates else { return }
        let shape = withState { state -> SlateShape? in
            guard state.epoch == nil, !state.isClosed, let shape = state.slateShape(configuration.packaging),
                state.slate?.shape != shape
            else { return nil }
            state.slate = MadeSlate(shape: shape, slate: nil)
            return shape
        }
        guard let shape else { return }
        slates.makeSlate(shape, file: configuration.onLoss.slateFile, channel: name) { [self] result in
            eventLoop.execute { [self] in
                take(result, shape: shape)
                // It may be another absence by now.
                if let lostAt = withState(\.lostAt) { showSlate(lostAt: lostAt, on: eventLoop) }
            }
        }
    }

    private func take(_ result: Result<Slate, any Error>, shape: SlateShape) {
        let now = clock.now()
        switch result {
        case .success(let slate):
            withState { state in
                if state.slate?.shape == shape { state.slate?.slate = slate }
            }
        case .failure(let error):
            logger.warning("the slate cannot be made", metadata: ["error": "\(error)"])
            withState { state in
                // The next loss tries again.
                if state.slate?.shape == shape { state.slate = nil }
                state.errors.add("the slate cannot be made: \(error)", at: now)
            }
        }
    }

    /// When the grace is over, and when the slate has been made: whichever comes last.
    ///
    /// - Parameter lostAt: the absence that it is for.
    func showSlate(lostAt: Int64, on eventLoop: any EventLoop) {
        let slate = withState { state -> Slate? in
            state.canShowSlate(lostAt: lostAt) ? state.slate?.slate : nil
        }
        guard let slate else { return }
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
            guard state.canShowSlate(lostAt: lostAt) else { return false }
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
    fileprivate func slateShape(_ packaging: LivePackagingConfiguration) -> SlateShape? {
        guard let video = window.renditions.first(where: { $0.mediaType == .video && $0.listsMedia }),
            let frameRate = video.frameRate
        else { return nil }
        let audio = window.renditions.first { $0.mediaType == .audio && $0.listsMedia }
        return SlateShape(
            video: video.configuration, measuredFrameRate: frameRate, segmentDuration: packaging.segmentDuration,
            audio: audio?.configuration)
    }

    /// Nobody has come back, and the grace is over.
    fileprivate func canShowSlate(lostAt: Int64) -> Bool {
        epoch == nil && !isClosed && self.lostAt == lostAt && lossTimer == nil && slate?.slate != nil
    }
}
