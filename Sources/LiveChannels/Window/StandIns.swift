import Codecs
import MediaCore
import Packaging

/// Which renditions are filled because the push does not have them.
///
/// Players take a channel's renditions as they find them when they start. A rendition that ended with its publisher
/// would stop those who play it, and those who start while something of it is still listed. So it is filled until
/// nothing of it is left in the window, and for as long as somebody asks for it after that. Those who start then are not
/// told of it.
extension LiveChannel.State {
    /// Milliseconds after the last request for its playlist that a rendition is still filled: players load it again every
    /// target duration.
    static let standInGraceMilliseconds: Int64 = 30_000

    /// What stands in for the renditions that a push does not have.
    ///
    /// - Parameter mediaTypes: of the push.
    func standIns(for mediaTypes: Set<MediaType>, now: Int64) -> [LivePackagerTrack] {
        window.renditions.filter { !mediaTypes.contains($0.mediaType) && isNeeded($0, now: now) }.compactMap {
            $0.standIn(partDuration: packaging.partDuration)
        }
    }

    private func isNeeded(_ rendition: RenditionWindow, now: Int64) -> Bool {
        if rendition.ownsMedia { return true }
        let grace = max(Self.standInGraceMilliseconds, 2_000 * Int64(packaging.targetDuration))
        return askedForAt[rendition.mediaType].map { now - $0 <= grace } ?? false
    }

    /// Ends those that nobody needs any more, when the push's own segments have all been filled up.
    ///
    /// - Returns: `nil` if all go on.
    mutating func endStandIns(now: Int64) -> EndedStandIns? {
        guard let epoch, !epoch.standIns.isEmpty else { return nil }
        let newest = window.renditions.filter { epoch.mediaTypes.contains($0.mediaType) }.first?.listed.last
        let ended = epoch.standIns.filter { mediaType in
            guard let rendition = window.rendition(named: mediaType.rawValue[...]) else { return true }
            return !isNeeded(rendition, now: now) && rendition.listed.last?.mediaSequence == newest?.mediaSequence
        }
        guard !ended.isEmpty else { return nil }
        let remaining = epoch.standIns.subtracting(ended)
        self.epoch?.standIns = remaining
        window.end(standIns: ended)
        return EndedStandIns(
            ended: ended, remaining: remaining, mediaTypes: epoch.mediaTypes, isSlate: epoch.isSlate)
    }

    /// What comes next begins behind it, on every clock.
    mutating func noteMediaEnd(of segment: LiveSegment) {
        guard let last = segment.parts.last else { return }
        let margin = MediaTime(value: 1, timescale: .milliseconds)
        let end = (last.decodeTime + last.duration).converted(to: .microseconds) + margin
        mediaEnd = mediaEnd.map { max($0, end) } ?? end
    }
}

/// What has changed in a push that goes on.
struct EndedStandIns: Sendable {
    var ended: Set<MediaType>
    var remaining: Set<MediaType>
    /// The push's own.
    var mediaTypes: Set<MediaType>
    var isSlate: Bool
}

extension RenditionWindow {
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
                configuration: configuration, standIn: silence)
        case .video:
            guard let (sample, configuration) = newestKeyFrame, let timescale else { return nil }
            let duration = MediaTime(seconds: partDuration, timescale: timescale)
            return LivePackagerTrack(
                track: Track(id: Self.standInTrackID, mediaType: .video, timescale: timescale),
                configuration: configuration,
                standIn: FillerSample(keyFrame: sample, configuration: configuration, duration: duration))
        }
    }

    /// No announced track has it.
    private static let standInTrackID = UInt32.max
}

extension Timescale {
    fileprivate init?(sampleRate: Int) {
        guard let ticks = UInt32(exactly: sampleRate) else { return nil }
        self.init(checking: ticks)
    }
}
