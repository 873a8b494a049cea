import Foundation
import Logging
package import NIOCore

extension LiveChannel {
    /// Publishers that may wait for the first one to end. Each holds a connection and its ports, and a broadcaster has
    /// one camera in reserve, not five.
    package static let maximumWaitingPublisherCount = 4

    /// Takes the channel for one publisher, or a place in the queue for it, as the channel's policy says.
    ///
    /// Called on the publisher's event loop. Whether the push is shown at once or waits, the caller does the same: it
    /// feeds the epoch and ends it. What a waiting epoch is fed is dropped and counted; when its turn comes it is
    /// shown from the next key frame on.
    ///
    /// - Parameters:
    ///   - eventLoop: the publisher's; the epoch is used there only.
    ///   - onKick: called on any thread, also from within a call of the epoch's, with a reason for people, when the
    ///     push has to end; the epoch has to be ended by the caller then, too. A publisher that takes over waits for
    ///     it, so that the two never overlap.
    /// - Throws: ``PublishingError``
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
            logger.info("a publisher waits", metadata: ["address": "\(publisher.remoteAddress)"])
            for onKick in displaced { onKick("\(publisher.remoteAddress) took over the channel") }
        case .refused(let error): throw error
        }
        return epoch
    }

    /// What ``beginPublishing(_:tracks:on:onKick:)`` would throw now, so that a publisher can be refused before it has
    /// set anything up.
    package func publishingError(presetName: String?) -> PublishingError? {
        presetError(presetName)
            ?? withState { $0.admissionError(policy: configuration.publishing.secondPublisher) }
    }

    private func presetError(_ name: String?) -> PublishingError? {
        let allowed = configuration.presets.map(\.name)
        guard let name, !allowed.contains(name) else { return nil }
        return .unknownPreset(name, allowed: allowed)
    }

    /// Ends the push that is shown, if there is one; the slate for the whole of this absence.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func kick(reason: String) -> Bool {
        let onKick = withState { state in
            if state.epoch?.isSlate == true { state.lostAt = nil }
            return state.epoch?.onKick
        }
        onKick?(reason)
        return onKick != nil
    }

    func close() {
        let (waiters, kicks) = withState { state in
            let kicks = state.close()
            return (state.waiters.take { _ in false }, kicks)
        }
        waiters.answer()
        for onKick in kicks { onKick("the server is shutting down") }
    }
}

/// What becomes of a publisher that wants the channel.
enum PublishingAdmission: Sendable {
    case published
    /// - Parameter displaced: `onKick` of those that have to make room for it.
    case waiting(displaced: [@Sendable (String) -> Void])
    case refused(PublishingError)
}

extension LiveChannel.State {
    /// One step under the lock: there is no moment at which two have the channel, or a third gets between two.
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
        // The running push's last segment and the new one's first do not overlap: the new one starts when the running
        // one has ended, on its own loop, and the place is taken from now on.
        let displaced = waitingEpochs + (running.isBeingReplaced ? [] : [running])
        waitingEpochs = [entry]
        epoch?.isBeingReplaced = true
        return .waiting(displaced: displaced.map(\.onKick))
    }

    func admissionError(policy: PublishingPolicy.SecondPublisher) -> PublishingError? {
        if isClosed { return .closed }
        // Nobody has to wait for a slate but until it has ended.
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

    /// Takes no more publishers.
    ///
    /// - Returns: `onKick` of all pushes, to be called without the lock.
    mutating func close() -> [@Sendable (String) -> Void] {
        isClosed = true
        let epochs = [epoch].compactMap(\.self) + waitingEpochs
        waitingEpochs = []
        stopLossTimer()
        return epochs.map(\.onKick)
    }

    /// The push that has waited longest is shown from now on.
    ///
    /// - Returns: what has to be called without the lock.
    mutating func promote(now: Int64) -> (@Sendable () -> Void)? {
        guard epoch == nil, !waitingEpochs.isEmpty else { return nil }
        var next = waitingEpochs.removeFirst()
        next.publisher.since = Date(millisecondsSince1970: now)
        epoch = next
        return next.onTurn
    }

    /// The push's part of the state, whether it is shown or waits; nothing where it has ended.
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
