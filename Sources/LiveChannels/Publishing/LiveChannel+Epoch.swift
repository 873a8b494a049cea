import Codecs
import Logging
import MediaCore
import NIOCore
import Packaging

/// What an epoch tells its channel. Each call takes the lock once; there are a few a second.
extension LiveChannel {
    /// What an epoch goes on from.
    struct EpochStart: Sendable {
        var packaging: LivePackagingConfiguration
        var firstMediaSequence: Int
        var isDiscontinuous: Bool
        /// Milliseconds since 1970.
        var windowEnd: Int64?
        /// On the channel's timeline; `nil` for its first epoch.
        var mediaStart: MediaTime?
        /// For renditions that the push does not have.
        var standIns: [LivePackagerTrack]
        /// The clock of the audio rendition so far; `nil` without one. It stays: ffmpeg and mpv know only the one that
        /// they have found first, and would take the times of another for those of another moment.
        var audioTimescale: Timescale?
    }

    /// The epoch has all it needs and packages from now on.
    func epochStarts(identifier: String, tracks: [CodecConfiguration]) -> EpochStart {
        let now = clock.now()
        let mediaTypes = Set(tracks.map(\.mediaType))
        let (start, waiters) = withState { state in
            state.prepareWindow(configuration, now: now)
            let waiters = state.endWindow(beforeCodecsOf: tracks, now: now)
            let standIns = state.standIns(for: mediaTypes, now: now)
            let standInTypes = Set(standIns.map(\.track.mediaType))
            state.window.begin(standIns: standInTypes)
            state.epoch?.mediaTypes = mediaTypes
            state.epoch?.standIns = standInTypes
            // In the order in which epochs are shown: a hand-over, which waits for nothing.
            archive?.begin(
                epoch: identifier, mediaTypes: archivedTypes(mediaTypes, standIns: standInTypes),
                isSlate: state.epoch?.isSlate == true)
            if state.epoch?.isSlate != true {
                state.phase = .live
                state.since = now
            }
            // Whatever came before, here or before a restart, was another timeline.
            let isDiscontinuous = state.persistent.nextMediaSequence > 0
            let start = EpochStart(
                packaging: state.packaging, firstMediaSequence: state.persistent.nextMediaSequence,
                isDiscontinuous: isDiscontinuous, windowEnd: state.windowEnd, mediaStart: state.mediaEnd,
                standIns: standIns, audioTimescale: state.window.rendition(named: "audio")?.timescale)
            return (start, waiters)
        }
        waiters.answer()
        return start
    }

    /// What stands in for a rendition is kept for viewers who look back, and is no part of a recording of its own.
    private func archivedTypes(_ mediaTypes: Set<MediaType>, standIns: Set<MediaType>) -> Set<MediaType> {
        archive?.windowSeconds ?? 0 > 0 ? mediaTypes.union(standIns) : mediaTypes
    }

    func register(
        initializationSection: ByteBuffer, configuration: CodecConfiguration, epoch: String, number: Int
    ) {
        archive?.register(
            initializationSection: initializationSection, mediaType: configuration.mediaType, epoch: epoch,
            number: number)
        withState { state in
            state.window.add(
                initializationSection: initializationSection, configuration: configuration, epoch: epoch,
                number: number, discontinuitySequence: state.persistent.discontinuityCount)
        }
    }

    /// - Parameter keyFrames: measured so far.
    /// - Returns: renditions that need not be filled any longer.
    func publish(
        _ events: [LivePackagingEvent], keyFrames: KeyFrameMeter?, identifier: String
    ) -> Set<MediaType> {
        let outcome = withState { state -> PublishedEvents? in
            guard let epoch = state.epoch, epoch.identifier == identifier else { return nil }
            var outcome = PublishedEvents()
            state.epoch?.keyFrames = keyFrames
            if let keyFrames, !epoch.isSlate, state.learn(keyFrames) { outcome.saved = state.persistent }
            var grown: Set<String> = []
            var hasNewSegment = false
            for event in events {
                switch event {
                case .part(let mediaType, let part, let heading):
                    state.window.backfill(mediaType, before: heading, first: part)
                    state.window.append(part, of: heading, to: mediaType)
                    grown.insert(mediaType.rawValue)
                case .segment(let mediaType, let segment):
                    hasNewSegment = true
                    var accepted = archive?.accept(
                        segment, mediaType: mediaType, discontinuityCount: state.persistent.discontinuityCount)
                    let problem = accepted?.isLost == true ? Self.archiveTooSlow : archive?.takeProblem()
                    if let problem { state.errors.addOnce(problem, at: clock.now()) }
                    state.noteMediaEnd(of: segment)
                    let hasAdvanced = state.append(
                        segment, to: mediaType, of: epoch, placement: accepted?.placement, now: clock.now())
                    if hasAdvanced { outcome.saved = state.persistent }
                    accepted?.first = state.window.firstMediaSequences
                    if let accepted { outcome.archived.append(accepted) }
                case .keyFramesTooFarApart:
                    let seconds = state.packaging.targetDuration
                    state.errors.addOnce(
                        "key frames are more than \(seconds) s apart; set the encoder to one every 2 s", at: clock.now()
                    )
                }
            }
            if hasNewSegment {
                state.dropFormerWindow(now: clock.now())
                outcome.endedStandIns = state.endStandIns(now: clock.now())
            }
            state.forgetPlaylists { hasNewSegment || grown.contains($0.name) }
            outcome.awaitsSlate = hasNewSegment && state.awaitsSlate
            outcome.waiters = state.takeAnsweredWaiters()
            return outcome
        }
        guard let outcome else { return [] }
        outcome.waiters.answer()
        if outcome.awaitsSlate { prepareSlate() }
        for accepted in outcome.archived { archive?.write(accepted) }
        if let saved = outcome.saved { save(saved) }
        if let ended = outcome.endedStandIns {
            archive?.begin(
                epoch: identifier, mediaTypes: archivedTypes(ended.mediaTypes, standIns: ended.remaining),
                isSlate: ended.isSlate)
        }
        return outcome.endedStandIns?.ended ?? []
    }

    private static let archiveTooSlow = "the disk is too slow: time shift and recording have a hole"

    private struct PublishedEvents: Sendable {
        var saved: ChannelState?
        var archived: [AcceptedSegment] = []
        var awaitsSlate = false
        var endedStandIns: EndedStandIns?
        var waiters = ReleasedWaiters()
    }

    /// Called last of all by an epoch, when nothing of it can reach the channel any more: the next one starts then.
    func epochEnded(identifier: String, reason: String, isIntended: Bool, on eventLoop: any EventLoop) {
        let now = clock.now()
        archive?.end(epoch: identifier)
        let outcome = withState { state -> EndedEpoch? in
            guard state.epoch?.identifier == identifier else {
                state.waitingEpochs.removeAll { $0.identifier == identifier }
                return nil
            }
            let wasSlate = state.epoch?.isSlate == true
            state.epoch = nil
            state.window.stopGrowing()
            state.forgetPlaylists { _ in true }
            guard !state.isRetired else {
                state.endForGood(now: now)
                return EndedEpoch(onTurn: nil, waiters: state.takeAnsweredWaiters())
            }
            // The absence goes on where it was a slate that ended.
            if !wasSlate {
                state.phase = isIntended || state.window.renditions.isEmpty ? .idle : .interrupted
            }
            state.since = now
            if !isIntended { state.errors.add("the push ended: \(reason)", at: now) }
            let onTurn = state.promote(now: now)
            if onTurn != nil {
                state.stopLossTimer()
            } else if !wasSlate {
                state.lostAt = now
                startLossTimer(&state, on: eventLoop)
            } else if configuration.onLoss.action == .end {
                // The channel was told to end instead of showing a slate.
                startLossTimer(&state, on: eventLoop)
            }
            state.lossLoop = eventLoop
            return EndedEpoch(onTurn: onTurn, waiters: state.takeAnsweredWaiters())
        }
        guard let outcome else { return }
        outcome.onTurn?()
        outcome.waiters.answer()
        // Also where it was the slate that ended, for somebody who has gone again since.
        offerSlate(on: eventLoop)
        logger.info("push ended", metadata: ["reason": "\(reason)", "intended": "\(isIntended)"])
    }

    private struct EndedEpoch: Sendable {
        /// Of the push that is next.
        var onTurn: (@Sendable () -> Void)?
        /// Viewers who wait for nothing now.
        var waiters: ReleasedWaiters
    }
}

extension LiveChannel.State {
    /// - Returns: whether ``persistent`` has changed.
    fileprivate mutating func append(
        _ segment: LiveSegment, to mediaType: MediaType, of epoch: LiveChannel.EpochState,
        placement: ArchivePlacement?, now: Int64
    ) -> Bool {
        window.backfill(mediaType, before: segment.heading, first: segment.parts.first)
        window.append(segment, to: mediaType, placement: placement)
        guard mediaType == (epoch.mediaTypes.contains(.video) ? .video : .audio) else { return false }
        window.appendGaps(for: segment, exceptFor: epoch.mediaTypes.union(epoch.standIns))
        persistent.nextMediaSequence = segment.mediaSequence + 1
        persistent.mediaEnd = mediaEnd?.converted(to: .microseconds).value
        persistent.mediaEndedAt = now
        windowEnd = segment.programDateTime.addingSaturating(segment.duration.converted(to: .milliseconds).value)
        if segment.isDiscontinuous { persistent.discontinuityCount += 1 }
        return true
    }
}

extension ErrorLog {
    /// What repeats every few seconds is said once, until something else has been said.
    fileprivate mutating func addOnce(_ message: String, at now: Int64) {
        if entries.last?.message != message { add(message, at: now) }
    }
}
