import Codecs
import Logging
import MediaCore
import NIOCore
import Packaging

/// What an epoch tells its channel. Each call takes the lock once; there are a few a second.
extension LiveChannel {
    /// The epoch has all it needs and packages from now on.
    func epochStarts(
        identifier: String, mediaTypes: Set<MediaType>
    ) -> (firstMediaSequence: Int, isDiscontinuous: Bool, windowEnd: Int64?) {
        let now = clock.now()
        return withState { state in
            state.epoch?.mediaTypes = mediaTypes
            state.phase = .live
            state.since = now
            // Whatever came before, here or before a restart, was another timeline.
            let isDiscontinuous = state.persistent.nextMediaSequence > 0
            return (state.persistent.nextMediaSequence, isDiscontinuous, state.windowEnd)
        }
    }

    func register(
        initializationSection: ByteBuffer, configuration: CodecConfiguration, epoch: String, number: Int
    ) {
        withState { state in
            state.window.add(
                initializationSection: initializationSection, configuration: configuration, epoch: epoch,
                number: number, discontinuitySequence: state.persistent.discontinuityCount)
        }
    }

    func publish(_ events: [LivePackagingEvent], identifier: String) {
        let outcome = withState { state -> (waiters: [Waiter], saved: ChannelState?) in
            guard let epoch = state.epoch, epoch.identifier == identifier else { return ([], nil) }
            let leading: MediaType = epoch.mediaTypes.contains(.video) ? .video : .audio
            var saved: ChannelState?
            var hasNewSegment = false
            for event in events {
                switch event {
                case .part(let mediaType, let part):
                    state.window.append(part, to: mediaType)
                case .segment(let mediaType, let segment):
                    state.window.append(segment, to: mediaType)
                    hasNewSegment = true
                    guard mediaType == leading else { continue }
                    state.window.appendGaps(for: segment, exceptFor: epoch.mediaTypes)
                    state.persistent.nextMediaSequence = segment.mediaSequence + 1
                    state.windowEnd = segment.programDateTime.addingSaturating(
                        segment.duration.converted(to: .milliseconds).value)
                    if segment.isDiscontinuous { state.persistent.discontinuityCount += 1 }
                    saved = state.persistent
                case .keyFramesTooFarApart:
                    let seconds = configuration.packaging.targetDuration
                    state.errors.addOnce(
                        "key frames are more than \(seconds) s apart; set the encoder to one every 2 s", at: clock.now()
                    )
                }
            }
            if hasNewSegment { state.playlists = [:] }
            guard state.window.isPlayable else { return ([], saved) }
            defer { state.waiters = [] }
            return (state.waiters, saved)
        }
        if let saved = outcome.saved { save(saved) }
        for waiter in outcome.waiters { waiter.promise.succeed(true) }
    }

    /// Called last of all by an epoch, when nothing of it can reach the channel any more: the next one starts then.
    func epochEnded(identifier: String, reason: String, isIntended: Bool) {
        let now = clock.now()
        let outcome = withState { state -> EndedEpoch? in
            guard state.epoch?.identifier == identifier else {
                state.waitingEpochs.removeAll { $0.identifier == identifier }
                return nil
            }
            state.epoch = nil
            state.phase = isIntended || state.window.renditions.isEmpty ? .idle : .interrupted
            state.since = now
            if !isIntended { state.errors.add("the push ended: \(reason)", at: now) }
            if let onTurn = state.promote(now: now) { return EndedEpoch(onTurn: onTurn, waiters: []) }
            defer { state.waiters = [] }
            return EndedEpoch(onTurn: nil, waiters: state.waiters)
        }
        guard let outcome else { return }
        outcome.onTurn?()
        for waiter in outcome.waiters { waiter.promise.succeed(false) }
        logger.info("push ended", metadata: ["reason": "\(reason)", "intended": "\(isIntended)"])
    }

    private struct EndedEpoch: Sendable {
        /// Of the push that is next.
        var onTurn: (@Sendable () -> Void)?
        /// Viewers who wait for nothing now.
        var waiters: [Waiter]
    }
}

extension ErrorLog {
    /// What repeats every few seconds is said once, until something else has been said.
    fileprivate mutating func addOnce(_ message: String, at now: Int64) {
        if entries.last?.message != message { add(message, at: now) }
    }
}
