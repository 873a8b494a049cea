import Codecs
import MediaCore
import Packaging

/// Decides which renditions are filled with stand-in media because the push does not have them.
///
/// Players choose among a channel's renditions when they start. A rendition that ended with its publisher would stop
/// the players that use it, and those that start while some of it is still listed. It is therefore filled until nothing
/// of it is left in the window, and after that for as long as somebody requests it. Players that start then do not see
/// it in the multivariant playlist.
extension LiveChannel.State {
    /// The time after the last request for its playlist during which a rendition is still filled; players load the
    /// playlist again every target duration.
    static let standInGrace = Duration.seconds(30)

    /// The stand-ins for the renditions that a push does not have.
    ///
    /// - Parameter own: the renditions of the push.
    func standIns(for own: Set<RenditionID>, now: WallClockTime) -> [LivePackagerTrack] {
        window.renditions.filter { !own.contains($0.id) && !$0.id.isRung && isNeeded($0, now: now) }.compactMap {
            $0.standIn(partDuration: packaging.partDuration)
        }
    }

    private func isNeeded(_ rendition: RenditionWindow, now: WallClockTime) -> Bool {
        rendition.ownsMedia || isAskedFor(rendition.id, now: now)
    }

    private func isAskedFor(_ id: RenditionID, now: WallClockTime) -> Bool {
        let grace = max(Self.standInGrace, .seconds(2 * packaging.targetDuration))
        return askedForAt[id].map { now - $0 <= grace } ?? false
    }

    /// Fills a rendition for the time before the first part that the publisher sends for it.
    mutating func backfill(
        _ id: RenditionID, before header: LiveSegmentHeader, first part: PartialSegment?, now: WallClockTime
    ) {
        window.backfill(
            id, before: header, first: part, isAskedFor: isAskedFor(id, now: now))
    }

    /// Ends the stand-ins that nobody needs any more, once all of the push's own segments have been filled up.
    ///
    /// - Returns: `nil` if all of them continue.
    mutating func endStandIns(now: WallClockTime) -> EndedStandIns? {
        guard let epoch, !epoch.standIns.isEmpty else { return nil }
        let newest = window.renditions.filter { epoch.renditions.contains($0.id) }.first?.listed.last
        let ended = epoch.standIns.filter { id in
            guard let rendition = window.rendition(named: id.name[...]) else { return true }
            return !isNeeded(rendition, now: now) && rendition.listed.last?.mediaSequence == newest?.mediaSequence
        }
        guard !ended.isEmpty else { return nil }
        let remaining = epoch.standIns.subtracting(ended)
        presence.updateShown { $0.standIns = remaining }
        window.end(standIns: ended)
        return EndedStandIns(
            ended: ended, remaining: remaining, renditions: epoch.renditions, isSlate: presence.isSlate)
    }

    /// Records where the media ends; the next media begins after that, in every timescale.
    mutating func noteMediaEnd(of segment: LiveSegment) {
        guard let last = segment.parts.last else { return }
        let margin = MediaTime(value: 1, timescale: .milliseconds)
        let end = (last.decodeTime + last.duration).converted(to: .microseconds) + margin
        mediaEnd = mediaEnd.map { max($0, end) } ?? end
    }
}

extension RenditionWindow {
    /// The stand-in track for the rendition.
    ///
    /// - Parameter partDuration: seconds.
    /// - Returns: `nil` if there is nothing to fill the rendition with.
    fileprivate func standIn(partDuration: Double) -> LivePackagerTrack? {
        switch mediaType {
        case .audio:
            guard let timescale = timescale ?? configuration.audioSampleRate.flatMap(Timescale.init(sampleRate:)),
                let silence = FillerSample(silenceFor: configuration, timescale: timescale)
            else { return nil }
            return LivePackagerTrack(
                track: Track(id: Self.standInTrackID, mediaType: .audio, timescale: timescale),
                configuration: configuration, rendition: id, standIn: silence)
        case .video:
            guard let (sample, ownConfiguration) = newestKeyFrame, let timescale else { return nil }
            let duration = MediaTime(seconds: partDuration, timescale: timescale)
            let configuration = FillerSample.configuration(ownConfiguration, frameDuration: duration)
            return LivePackagerTrack(
                track: Track(id: Self.standInTrackID, mediaType: .video, timescale: timescale),
                configuration: configuration, rendition: id,
                standIn: FillerSample(keyFrame: sample, configuration: configuration, duration: duration))
        }
    }

    /// An ID that announced tracks do not have.
    private static let standInTrackID = UInt32.max
}

extension Timescale {
    fileprivate init?(sampleRate: Int) {
        guard let ticks = UInt32(exactly: sampleRate) else { return nil }
        self.init(checking: ticks)
    }
}
