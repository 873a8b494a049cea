import Foundation
import Logging
import LogMetadata
import MediaCore
package import NIOCore

extension LiveChannel {
    /// Limit on publishers that wait for the first one to end. Each holds a connection and its ports, and a broadcaster
    /// has one camera in reserve, not five.
    package static let maximumWaitingPublisherCount = 4

    /// The time without media after which a publisher no longer keeps others from the channel.
    ///
    /// A line that breaks without an end, as that of a phone that leaves a network, holds its connection until
    /// the protocol's own limit of 30 s to 60 s. The encoder that comes back meanwhile is usually the same one.
    package static let publisherSilenceDuration = Duration.seconds(5)

    /// Gives the channel to one publisher, or queues the publisher, according to the channel's policy.
    ///
    /// Call it on the publisher's event loop. Whether the push is shown at once or waits, the caller does the same: it
    /// feeds the epoch and ends it. Units of a waiting epoch are dropped and counted; when its turn comes, it is shown
    /// from the next key frame on.
    ///
    /// - Parameters:
    ///   - publisher: who publishes.
    ///   - tracks: the announced tracks.
    ///   - eventLoop: the publisher's event loop; the epoch is used only there.
    ///   - onKick: called with a human-readable reason when the push has to end. The call may come on any thread and
    ///     from within a call of the epoch. The caller must then end the epoch. A publisher that takes over waits for
    ///     this, so that the two never overlap.
    /// - Throws: ``PublishingError`` if the channel does not accept the publisher.
    package func beginPublishing(
        _ publisher: Publisher, tracks: [PublishedTrack], on eventLoop: any EventLoop,
        onKick: @escaping @Sendable (String) -> Void
    ) throws(PublishingError) -> PublishingEpoch {
        if let error = presetError(publisher.presetName) { throw error }
        let now = clock.now()
        let configuration = configuration
        let preset = configuration.preset(named: publisher.presetName)
        let identifier = makeEpochIdentifier(now: now)
        let epoch = PublishingEpoch(
            channel: self, identifier: identifier, tracks: tracks, eventLoop: eventLoop,
            preset: preset, onKick: onKick)
        let bound = NIOLoopBound(epoch, eventLoop: eventLoop)
        let entry = EpochState(
            identifier: identifier, beganAt: now,
            publisher: ChannelStatus.PublisherStatus(
                address: publisher.remoteAddress, userAgent: publisher.userAgent, transport: publisher.transport,
                preset: publisher.presetName ?? configuration.defaultPreset, since: Date(now)),
            tracks: tracks.map(ChannelStatus.TrackStatus.init), meters: tracks.map { _ in RateMeter() },
            preset: preset, onKick: onKick, onTurn: { eventLoop.execute { bound.value.start() } },
            onHurry: { eventLoop.execute { bound.value.onHurry?() } },
            onMetadata: { metadata in eventLoop.submit { bound.value.announce(metadata) } })
        switch withState({ $0.admit(entry, configuration: configuration, now: now) }) {
        case .shown: epoch.start()
        case .waits(let displaced):
            logger.info(
                "publisher queued; the channel is in use", metadata: [.peerAddress: "\(publisher.remoteAddress)"])
            for other in displaced { other.onKick("\(publisher.remoteAddress) took over the channel") }
        case .refused(let refusal): throw PublishingError(refusal)
        }
        return epoch
    }

    /// The error that ``beginPublishing(_:tracks:on:onKick:)`` would throw now; `nil` if there is none. It lets a
    /// publisher be refused before it has set anything up.
    package func publishingError(presetName: String?) -> PublishingError? {
        presetError(presetName)
            ?? withState { $0.refusal(configuration, now: clock.now()).map(PublishingError.init) }
    }

    private func presetError(_ name: String?) -> PublishingError? {
        let allowed = configuration.presets.map(\.name)
        guard let name, !allowed.contains(name) else { return nil }
        return .unknownPreset(name, allowed: allowed)
    }

    /// Ends the push that is shown, if there is one. If the slate is shown, ends it for the whole of this absence.
    ///
    /// - Returns: whether a push or the slate was shown.
    @discardableResult
    package func kick(reason: String) -> Bool {
        let onKick = withState { state in
            state.presence.declineSlate()
            return state.epoch?.onKick
        }
        onKick?(reason)
        return onKick != nil
    }

    /// Ends all pushes and accepts no more, for shutdown.
    func close() {
        let (waiters, kicks) = withState { state in
            let kicks = state.close(.closed)
            return (state.waiters.take { _ in false }, kicks)
        }
        waiters.answer()
        for onKick in kicks { onKick("the server is shutting down") }
    }
}

extension LiveChannel.State {
    /// Decides about a publisher in one step under the lock.
    mutating func admit(
        _ entry: LiveChannel.EpochState, configuration: ChannelConfiguration, now: WallClockTime
    ) -> ChannelPresence<LiveChannel.EpochState>.Admission {
        if presence.isVacant, presence.access == .open {
            LiveChannel.dropStaleMedia(&self, configuration: configuration, now: now)
            stopLossTimer()
        }
        return presence.admit(
            entry, policy: secondPublisherPolicy(configuration, now: now),
            maximumWaitingCount: LiveChannel.maximumWaitingPublisherCount)
    }

    /// The reason for which a publisher would be refused now; `nil` if it would be admitted.
    func refusal(
        _ configuration: ChannelConfiguration, now: WallClockTime
    ) -> ChannelPresence<LiveChannel.EpochState>.Refusal? {
        presence.refusal(
            policy: secondPublisherPolicy(configuration, now: now),
            maximumWaitingCount: LiveChannel.maximumWaitingPublisherCount)
    }

    /// The policy for a publisher that comes now: a first one that is silent is replaced where it would be kept.
    private func secondPublisherPolicy(
        _ configuration: ChannelConfiguration, now: WallClockTime
    ) -> PublishingPolicy.SecondPublisher {
        let policy = configuration.publishing.secondPublisher
        guard policy == .refuse, !presence.isSlate, let push = presence.shown else { return policy }
        return now - push.heardAt >= LiveChannel.publisherSilenceDuration ? .takeOver : policy
    }

    /// Admits no more publishers.
    ///
    /// - Returns: the `onKick` functions of all pushes, to be called without the lock.
    mutating func close(_ access: ChannelPresence<LiveChannel.EpochState>.Access) -> [@Sendable (String) -> Void] {
        stopLossTimer()
        return presence.close(access).map(\.onKick)
    }
}
