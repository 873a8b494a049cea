import Codecs
import Foundation
import Logging
import LogMetadata
import MediaCore
import NIOCore
import Packaging

/// The calls of an epoch to its channel. Each takes the lock once; there are a few calls a second.
extension LiveChannel {
    /// The state with which an epoch starts.
    struct EpochStart: Sendable {
        var packaging: LivePackagingConfiguration
        var firstMediaSequence: Int
        var isDiscontinuous: Bool
        /// The end of the window so far; `nil` if there is none.
        var windowEnd: WallClockTime?
        /// The start of the epoch's media on the channel's timeline; `nil` for its first epoch.
        var mediaStart: MediaTime?
        /// Stand-in tracks for renditions that the push does not have.
        var standIns: [LivePackagerTrack]
        /// The timescales of audio renditions so far. They must not change: ffmpeg and mpv use only the one that they
        /// found first, and would misinterpret the timestamps of another.
        var audioTimescales: [RenditionID: Timescale]
    }

    /// Starts an epoch, which has everything it needs and is packaged from now on.
    ///
    /// - Parameters:
    ///   - packaging: the identifier of the media in URLs.
    ///   - tracks: the tracks that the push has now.
    ///   - isFirst: false if the push is packaged again with a track that has come late.
    func epochStarts(packaging: String, tracks: [LivePackagerTrack], isFirst: Bool) -> EpochStart {
        let now = clock.now()
        let renditions = Set(tracks.map(\.rendition))
        let (start, waiters) = withState { state in
            state.quality.begin()
            state.prepareWindow(configuration, now: now)
            let waiters = state.endWindow(beforeCodecsOf: tracks, now: now)
            let standIns = state.standIns(for: renditions, now: now)
            let standInIDs = Set(standIns.map(\.rendition))
            state.window.begin(standIns: standInIDs)
            state.presence.updateShown { epoch in
                epoch.renditions = renditions
                epoch.standIns = standInIDs
            }
            // Called in the order in which epochs are shown; this is a hand-over, which waits for nothing.
            archive?.begin(
                epoch: packaging, renditions: archived(renditions, standIns: standInIDs),
                isSlate: state.presence.isSlate)
            if isFirst { state.presence.mediaBegins(now: now) }
            // Earlier media, from this run or from before a restart, was on another timeline.
            let isDiscontinuous = state.persistent.nextMediaSequence > 0
            let start = EpochStart(
                packaging: state.packaging, firstMediaSequence: state.persistent.nextMediaSequence,
                isDiscontinuous: isDiscontinuous, windowEnd: state.windowEnd, mediaStart: state.mediaEnd,
                standIns: standIns, audioTimescales: state.window.audioTimescales)
            return (start, waiters)
        }
        waiters.answer()
        return start
    }

    /// Declares services of closed captions, and no others.
    func show(_ captions: ClosedCaptions) {
        withState { state in
            guard state.window.captions != captions else { return }
            state.window.captions = captions
            state.dropPlaylists { $0.name == LiveWindow.multivariantName || $0.name == LiveWindow.manifestName }
        }
    }

    /// Notes the time without a publisher before the media of a push.
    func noteInterruption(before start: EpochStart, firstUnitAt: WallClockTime) {
        guard let end = start.windowEnd, !withState({ $0.presence.isSlate }) else { return }
        noteGap(firstUnitAt - end, .interruption, now: clock.now())
    }

    /// Renditions for the archive. Stand-ins are stored for the time shift, and are not part of a recording of their
    /// own. The qualities of a ladder are in neither: what is archived is what was sent.
    private func archived(_ renditions: Set<RenditionID>, standIns: Set<RenditionID>) -> Set<RenditionID> {
        let all = archive?.windowSeconds ?? 0 > 0 ? renditions.union(standIns) : renditions
        return all.filter { !$0.isRung }
    }

    func register(
        initializationSection: ByteBuffer, configuration: CodecConfiguration, of id: RenditionID, epoch: String,
        number: Int
    ) {
        if !id.isRung {
            archive?.register(initializationSection: initializationSection, of: id, epoch: epoch, number: number)
        }
        withState { state in
            state.window.add(
                initializationSection: initializationSection, configuration: configuration, of: id, epoch: epoch,
                number: number, discontinuitySequence: state.persistent.discontinuityCount)
        }
    }

    /// Publishes what the packager has finished.
    ///
    /// - Parameters:
    ///   - keyFrames: the measurements so far.
    ///   - identifier: the push.
    ///   - packaging: the identifier of its media in URLs.
    /// - Returns: the renditions that no longer need to be filled.
    func publish(
        _ events: [LivePackagingEvent], keyFrames: KeyFrameMeter?, identifier: String, packaging: String
    ) -> Set<RenditionID> {
        let outcome = withState { state -> PublishedEvents? in
            guard let epoch = state.epoch, epoch.identifier == identifier else { return nil }
            var outcome = PublishedEvents()
            state.presence.updateShown { $0.keyFrames = keyFrames }
            if let keyFrames, !state.presence.isSlate, state.learn(keyFrames) { outcome.saved = state.persistent }
            var grown: Set<String> = []
            var hasNewSegment = false
            var hasNewRendition = false
            var beginsSegment = false
            for event in events {
                switch event {
                case .part(let id, let part, let header):
                    state.backfill(id, before: header, first: part, now: clock.now())
                    let isOffered = state.window.rendition(named: id.name[...])?.isOffered == true
                    if !isOffered { hasNewRendition = true }
                    state.window.append(part, of: header, to: id)
                    if state.window.rendition(named: id.name[...])?.openSegment?.parts.count == 1 {
                        beginsSegment = true
                    }
                    grown.insert(id.name)
                case .segment(let id, let segment):
                    hasNewSegment = true
                    var accepted =
                        id.isRung
                        ? nil
                        : archive?.accept(
                            segment, of: id, discontinuityCount: state.persistent.discontinuityCount)
                    if accepted?.isLost == true {
                        outcome.lostDuration += Duration(segment.duration)
                    }
                    let problem = accepted?.isLost == true ? Self.archiveTooSlow : archive?.takeProblem()
                    if let problem { state.errors.addOnce(problem, at: clock.now()) }
                    state.noteMediaEnd(of: segment)
                    // Further back, where memory ends, a quality has gaps and players take what was sent.
                    let placement = id.isRung ? archive?.placementOfGap : accepted?.placement
                    let hasAdvanced = state.append(
                        segment, to: id, of: epoch, placement: placement, now: clock.now())
                    if hasAdvanced { outcome.saved = state.persistent }
                    accepted?.first = state.window.firstMediaSequences
                    if let accepted { outcome.archived.append(accepted) }
                case .nextPart(let id, let position):
                    state.window.setNextPart(position, of: id, epoch: packaging)
                    grown.insert(id.name)
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
            // The multivariant playlist names a rendition from its first part on, and the manifest a segment.
            state.dropPlaylists {
                hasNewSegment || hasNewRendition || grown.contains($0.name)
                    || beginsSegment && $0.name == LiveWindow.manifestName
            }
            outcome.awaitsSlate = hasNewSegment && state.awaitsSlate
            outcome.waiters = state.takeAnsweredWaiters()
            return outcome
        }
        guard let outcome else { return [] }
        outcome.waiters.answer()
        if outcome.lostDuration > .zero { noteGap(outcome.lostDuration, .archive, now: clock.now()) }
        if outcome.awaitsSlate { prepareSlate() }
        for accepted in outcome.archived { archive?.write(accepted) }
        if let saved = outcome.saved { save(saved) }
        if let ended = outcome.endedStandIns {
            archive?.begin(
                epoch: packaging, renditions: archived(ended.renditions, standIns: ended.remaining),
                isSlate: ended.isSlate)
        }
        return outcome.endedStandIns?.ended ?? []
    }

    private static let archiveTooSlow = "the disk is too slow: time shift and recording have a hole"

    private struct PublishedEvents: Sendable {
        var saved: ChannelState?
        var archived: [AcceptedSegment] = []
        var awaitsSlate = false
        /// The length of the segments for which the disk was too slow.
        var lostDuration = Duration.zero
        var endedStandIns: EndedStandIns?
        var waiters = ReleasedWaiters()
    }

    /// Notes that no more media has this identifier.
    func packagingEnds(_ packaging: String) { archive?.end(epoch: packaging) }

    /// Ends an epoch. It is the epoch's last call, when nothing of it can reach the channel any more: the next epoch
    /// starts then.
    func epochEnded(
        identifier: String, packaging: String, reason: String, isIntended: Bool, on eventLoop: any EventLoop
    ) {
        let now = clock.now()
        packagingEnds(packaging)
        let outcome = withState { state -> EndedEpoch? in
            let ending = state.presence.ended(
                identifier, isInterruption: !isIntended && !state.window.renditions.isEmpty, now: now
            ) { $0.publisher.since = Date(now) }
            if case .wasNotShown = ending { return nil }
            let wasAnnounced = state.announcedEpoch == identifier
            if wasAnnounced { state.announcedEpoch = nil }
            state.window.stopGrowing()
            state.dropPlaylists { _ in true }
            var onTurn: (@Sendable () -> Void)?
            switch ending {
            case .wasNotShown: break
            case .forGood: state.endForGood(now: now)
            case .next(let next): onTurn = next.onTurn
            // A slate that has ended is not followed by another one, but by the end, if that is what the channel was
            // told meanwhile.
            case .absent(let wasSlate):
                if !wasSlate || configuration.onLoss.action == .end { startLossTimer(&state, on: eventLoop) }
            }
            if state.presence.access != .retired {
                if !isIntended { state.errors.add("the push ended: \(reason)", at: now) }
                state.lossLoop = eventLoop
            }
            return EndedEpoch(
                onTurn: onTurn, waiters: state.takeAnsweredWaiters(), wasAnnounced: wasAnnounced)
        }
        guard let outcome else { return }
        if outcome.wasAnnounced { tell(.down(reason: reason, isIntended: isIntended)) }
        outcome.onTurn?()
        outcome.waiters.answer()
        // Called even after a slate has ended, in case the publisher that ended it has left again.
        offerSlate(on: eventLoop)
        logger.info("push ended", metadata: [.reason: "\(reason)", .isIntended: "\(isIntended)"])
    }

    private struct EndedEpoch: Sendable {
        /// Starts the next push, if one waits.
        var onTurn: (@Sendable () -> Void)?
        /// Viewers whose requests can be answered now.
        var waiters: ReleasedWaiters
        /// Whether observers were told of the push.
        var wasAnnounced: Bool
    }
}

extension LiveChannel.State {
    /// Adds a segment to the window.
    ///
    /// - Returns: whether ``persistent`` has changed.
    fileprivate mutating func append(
        _ segment: LiveSegment, to id: RenditionID, of epoch: LiveChannel.EpochState,
        placement: ArchivePlacement?, now: WallClockTime
    ) -> Bool {
        backfill(id, before: segment.header, first: segment.parts.first, now: now)
        window.append(segment, to: id, placement: placement)
        guard id == epoch.renditions.min() else { return false }
        window.appendGaps(for: segment, exceptFor: epoch.renditions.union(epoch.standIns))
        persistent.nextMediaSequence = segment.mediaSequence + 1
        persistent.mediaEnd = mediaEnd?.converted(to: .microseconds).value
        persistent.mediaEndedAt = now
        persistent.presentationStart = window.presentationStart
        persistent.origins = window.savedOrigins
        windowEnd = segment.programDateTime + segment.duration
        if segment.isDiscontinuous { persistent.discontinuityCount += 1 }
        return true
    }
}

extension ErrorLog {
    /// Adds a message unless it is equal to the last one, so that what repeats every few seconds is reported once.
    fileprivate mutating func addOnce(_ message: String, at now: WallClockTime) {
        if entries.last?.message != message { add(message, at: now) }
    }
}
