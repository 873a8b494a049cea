import Foundation
import Logging
package import NIOCore

extension LiveChannel {
    /// Limit on publishers that wait for the first one to end. Each holds a connection and its ports, and a broadcaster
    /// has one camera in reserve, not five.
    package static let maximumWaitingPublisherCount = 4

    /// Gives the channel to one publisher, or queues the publisher, according to the channel's policy.
    ///
    /// Call it on the publisher's event loop. Whether the push is shown at once or waits, the caller does the same: it
    /// feeds the epoch and ends it. Units of a waiting epoch are dropped and counted; when its turn comes, it is shown
    /// from the next key frame on.
    ///
    /// - Parameters:
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
            identifier: identifier,
            publisher: ChannelStatus.PublisherStatus(
                address: publisher.remoteAddress, userAgent: publisher.userAgent, transport: publisher.transport,
                preset: publisher.presetName ?? configuration.defaultPreset, since: Date(millisecondsSince1970: now)),
            tracks: tracks.map(ChannelStatus.TrackStatus.init), meters: tracks.map { _ in RateMeter() },
            preset: preset, onKick: onKick, onTurn: { eventLoop.execute { bound.value.start() } },
            onMetadata: { metadata in eventLoop.submit { bound.value.announce(metadata) } })
        switch withState({ $0.admit(entry, configuration: configuration, now: now) }) {
        case .published: epoch.start()
        case .waiting(let displaced):
            logger.info("publisher waits for the channel", metadata: ["peer.address": "\(publisher.remoteAddress)"])
            for onKick in displaced { onKick("\(publisher.remoteAddress) took over the channel") }
        case .refused(let error): throw error
        }
        return epoch
    }

    /// The error that ``beginPublishing(_:tracks:on:onKick:)`` would throw now; `nil` if there is none. It lets a
    /// publisher be refused before it has set anything up.
    package func publishingError(presetName: String?) -> PublishingError? {
        presetError(presetName)
            ?? withState { $0.admissionError(policy: configuration.publishing.secondPublisher) }
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
            if state.epoch?.isSlate == true { state.lostAt = nil }
            return state.epoch?.onKick
        }
        onKick?(reason)
        return onKick != nil
    }

    /// Ends all pushes and accepts no more, for shutdown.
    func close() {
        let (waiters, kicks) = withState { state in
            let kicks = state.close()
            return (state.waiters.take { _ in false }, kicks)
        }
        waiters.answer()
        for onKick in kicks { onKick("the server is shutting down") }
    }
}

extension LiveChannel.State {
    /// Decides about a publisher in one step under the lock: two publishers never have the channel at the same time,
    /// and a third cannot get in between.
    mutating func admit(
        _ entry: LiveChannel.EpochState, configuration: ChannelConfiguration, now: Int64
    ) -> PublishingAdmission {
        let policy = configuration.publishing.secondPublisher
        if let error = admissionError(policy: policy) { return .refused(error) }
        guard let running = epoch else {
            LiveChannel.dropStaleMedia(&self, configuration: configuration, now: now)
            stopLossTimer()
            epoch = entry
            return .published
        }
        guard policy == .takeOver || running.isSlate && waitingEpochs.isEmpty else {
            waitingEpochs.append(entry)
            return .waiting(displaced: [])
        }
        // The running push's last segment and the new one's first do not overlap: the new push starts when the running
        // one has ended on its own loop, and the place is taken from now on.
        let displaced = waitingEpochs + (running.isBeingReplaced ? [] : [running])
        waitingEpochs = [entry]
        epoch?.isBeingReplaced = true
        return .waiting(displaced: displaced.map(\.onKick))
    }

    /// The error for a publisher that wants the channel now; `nil` if it would be accepted.
    func admissionError(policy: PublishingPolicy.SecondPublisher) -> PublishingError? {
        if isClosed { return .closed }
        // A publisher waits for a slate only until the slate has ended.
        guard let holder = epoch?.isSlate == true ? waitingEpochs.first : epoch else { return nil }
        let hasRoom =
            switch policy {
            case .refuse: false
            case .takeOver: true
            case .queue: waitingEpochs.count < LiveChannel.maximumWaitingPublisherCount
            }
        return hasRoom
            ? nil : .channelBusy(since: holder.publisher.since, publisher: holder.publisher.address ?? "unknown")
    }

    /// Accepts no more publishers.
    ///
    /// - Returns: the `onKick` functions of all pushes, to be called without the lock.
    mutating func close() -> [@Sendable (String) -> Void] {
        isClosed = true
        let epochs = [epoch].compactMap(\.self) + waitingEpochs
        waitingEpochs = []
        stopLossTimer()
        return epochs.map(\.onKick)
    }

    /// Shows the push that has waited longest, if there is one.
    ///
    /// - Returns: the function to call without the lock.
    mutating func promote(now: Int64) -> (@Sendable () -> Void)? {
        guard epoch == nil, !waitingEpochs.isEmpty else { return nil }
        var next = waitingEpochs.removeFirst()
        next.publisher.since = Date(millisecondsSince1970: now)
        epoch = next
        return next.onTurn
    }

    /// Changes the push's part of the state, whether it is shown or waits. Does nothing if the push has ended.
    mutating func updateEpoch(_ identifier: String, _ change: (inout LiveChannel.EpochState) -> Void) {
        if epoch?.identifier == identifier {
            if var changed = epoch.take() {
                change(&changed)
                epoch = changed
            }
        } else if let index = waitingEpochs.firstIndex(where: { $0.identifier == identifier }) {
            change(&waitingEpochs[index])
        }
    }
}
