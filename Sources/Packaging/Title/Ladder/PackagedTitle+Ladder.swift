import Codecs
import HLSPlaylist
import ISOBMFF
import MediaCore

extension PackagedTitle {
    /// Returns the title with further renditions of its video, all cut into segments at the same times as the title
    /// itself.
    ///
    /// - Throws: ``TitlePackagingError`` if a movie cannot be cut at these times.
    package func adding(_ media: LadderMedia) throws(TitlePackagingError) -> PackagedTitle {
        let movies = media.movies
        guard let video, !movies.isEmpty else { return self }
        let starts = video.segments.indices.map {
            MediaTime(value: video.firstSample(ofSegment: $0).presentationTime, timescale: video.track.timescale)
        }
        var cut: [(movie: LadderMovie, track: MovieTrack, timeline: RenditionTimeline, plans: [SegmentPlan])] = []
        for movie in movies {
            let (track, timeline) = try Self.videoTrack(of: movie)
            guard
                let cuts = PackagedRendition.cuts(
                    of: track.samples, timeline: timeline, timescale: track.track.timescale, at: starts)
            else { throw TitlePackagingError(.misaligned, "\(movie.name) has no key frame at the start of a segment") }
            cut.append(
                (movie, track, timeline, SegmentPlanner(track: track, timeline: timeline).planVideo(startingAt: cuts)))
        }
        let cutAudio = try media.audio.map { audio throws(TitlePackagingError) in try self.cut(audio, along: video) }
        let planned = cut.map { ($0.track, $0.plans) } + cutAudio.map { ($0.track, $0.plans) }
        let longest = planned.flatMap { track, plans in
            plans.map { MediaTime(value: $0.duration, timescale: track.track.timescale).seconds }
        }.max()
        let targetDuration = max(targetDuration, Int((longest ?? 1).rounded()))
        let rungs = cut.compactMap { movie, track, timeline, plans in
            track.configuration.map { configuration in
                PackagedLadder.Rung(
                    rendition: PackagedRendition(
                        name: movie.name, track: track.track, configuration: configuration, segments: plans,
                        bitRate: Self.bitRate(plans, track: track, targetDuration: targetDuration),
                        displayMatrix: track.displayMatrix, isEnabled: true, language: nil,
                        userData: track.userData, pixelAspectRatio: track.pixelAspectRatio, samples: track.samples,
                        timeline: timeline),
                    file: movie.file, takesLadderAudio: movie.takesLadderAudio && !cutAudio.isEmpty)
            }
        }
        let mixesWithSource = rungs.allSatisfy { $0.rendition.configuration.isAV1 == video.configuration.isAV1 }
        return PackagedTitle(
            self,
            ladder: PackagedLadder(
                rungs: rungs, audio: cutAudio.compactMap { $0.packaged(targetDuration: targetDuration) },
                mixesWithSource: mixesWithSource,
                offersSource: video.hasClosedSegments && mixesWithSource),
            targetDuration: targetDuration)
    }

    /// An audio movie of a ladder, cut into segments.
    private struct CutAudio {
        var movie: LadderAudio
        /// The rendition that was encoded.
        var source: PackagedRendition
        var track: MovieTrack
        var timeline: RenditionTimeline
        var plans: [SegmentPlan]

        func packaged(targetDuration: Int) -> PackagedLadder.Audio? {
            track.configuration.map { configuration in
                PackagedLadder.Audio(
                    rendition: PackagedRendition(
                        name: movie.name, track: track.track, configuration: configuration, segments: plans,
                        bitRate: PackagedTitle.bitRate(plans, track: track, targetDuration: targetDuration),
                        displayMatrix: track.displayMatrix, isEnabled: source.isEnabled, language: source.language,
                        userData: source.userData, pixelAspectRatio: nil, samples: track.samples, timeline: timeline),
                    file: movie.file, replaced: movie.replaced)
            }
        }
    }

    private func cut(
        _ movie: LadderAudio, along video: PackagedRendition
    ) throws(TitlePackagingError) -> CutAudio {
        guard let source = audio.first(where: { $0.name == movie.replaced.first }),
            let track = movie.index.tracks.first(where: {
                $0.track.mediaType == .audio && $0.configuration != nil && $0.samples.count > 0
            }), var timeline = try TimelineResolver(tracks: [track]).timelines.first
        else { throw TitlePackagingError(.noMedia, "there is no audio of the title in \(movie.name)") }
        let timescale = track.track.timescale
        let start = MediaTime(value: source.timeline.firstDecodeTime, timescale: source.track.timescale)
        let place = start.converted(to: timescale).value.addingSaturating(movie.delay.converted(to: timescale).value)
        timeline.firstDecodeTime = max(0, place)
        // What an encoder makes first is not heard; it is hidden if there is no time before the source for it.
        timeline.firstPresentedMediaTime = timeline.firstPresentedMediaTime.addingSaturating(max(0, -max(place, -.max)))
        let plans = SegmentPlanner(track: track, timeline: timeline).planAudio(
            boundaries: Self.boundaries(of: video.segments, timescale: video.track.timescale))
        guard !plans.isEmpty else { throw TitlePackagingError(.noMedia, "there is no audio in \(movie.name)") }
        return CutAudio(movie: movie, source: source, track: track, timeline: timeline, plans: plans)
    }

    private static func videoTrack(
        of movie: LadderMovie
    ) throws(TitlePackagingError) -> (MovieTrack, RenditionTimeline) {
        guard
            let track = movie.index.tracks.first(where: {
                $0.track.mediaType == .video && $0.configuration != nil && $0.samples.count > 0
            }), var timeline = try TimelineResolver(tracks: [track]).timelines.first
        else { throw TitlePackagingError(.noMedia, "there is no video in \(movie.name)") }
        timeline.firstDecodeTime = movie.start.converted(to: track.track.timescale).value
        return (track, timeline)
    }

    /// The file that holds a rendition's samples.
    func file(of rendition: PackagedRendition) -> MediaFile {
        ladder?.rungs.first { $0.rendition.name == rendition.name }?.file
            ?? ladder?.audio.first { $0.rendition.name == rendition.name }?.file ?? file
    }

    /// The file's own video, and the renditions of the ladder.
    var videoRenditions: [PackagedRendition] { [video].compactMap(\.self) + (ladder?.rungs.map(\.rendition) ?? []) }

    /// The video renditions that players choose from. The first one is what they start with before they have measured
    /// anything: the best that 2 Mbit/s carry. The others follow, best first.
    func videoVariants(source: PackagedRendition) -> [PackagedRendition] {
        guard let ladder, !ladder.rungs.isEmpty else { return [source] }
        var variants = ladder.rungs.map(\.rendition) + (ladder.offersSource ? [source] : [])
        variants.sort { $0.bitRate.peak > $1.bitRate.peak }
        if let first = variants.firstIndex(where: { $0.bitRate.peak <= Self.firstBandwidth }) ?? variants.indices.last {
            variants.insert(variants.remove(at: first), at: 0)
        }
        return variants
    }

    /// Whether a video rendition is played with the ladder's audio.
    func takesLadderAudio(_ video: PackagedRendition) -> Bool {
        ladder?.rungs.contains { $0.rendition.name == video.name && $0.takesLadderAudio } ?? false
    }

    /// The ladder's encoding of one of the title's audio renditions; `nil` if it has none.
    func ladderAudio(inPlaceOf rendition: PackagedRendition) -> PackagedRendition? {
        ladder?.audio.first { $0.replaced.contains(rendition.name) }?.rendition
    }

    /// The audio renditions between which a listener chooses, as the same ones in several codecs: the names of each,
    /// with the one from which others should be encoded first.
    package var audioMembers: [[String]] { AudioGroups(audio).members }

    /// The smallest BANDWIDTH among the variants, in bits per second: what a line has to carry at least. That of the
    /// same variant as MPEG-TS counts, too, if there is one.
    package var lowestBandwidth: Int {
        guard let lowest = multivariantPlaylist().variants.min(by: { $0.bandwidth < $1.bandwidth }) else { return 0 }
        let stream = transportStreamMultivariantPlaylist().variants.first {
            $0.uri == "\(Self.transportStreamName)-\(lowest.uri)"
        }
        return max(lowest.bandwidth, stream?.bandwidth ?? 0)
    }

    /// The bandwidth in bits per second that the first variant may take.
    private static let firstBandwidth = 2_000_000
}
