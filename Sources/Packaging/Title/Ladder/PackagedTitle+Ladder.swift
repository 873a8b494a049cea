import Codecs
import ISOBMFF
import MediaCore

extension PackagedTitle {
    /// Returns the title with further renditions of its video, all cut into segments at the same times as the title
    /// itself.
    ///
    /// - Throws: ``TitlePackagingError`` if a movie cannot be cut at these times.
    package func adding(_ movies: [LadderMovie]) throws(TitlePackagingError) -> PackagedTitle {
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
        let longest = cut.flatMap { cut in
            cut.plans.map { MediaTime(value: $0.duration, timescale: cut.track.track.timescale).seconds }
        }.max()
        let targetDuration = max(targetDuration, Int((longest ?? 1).rounded()))
        let rungs = cut.compactMap { movie, track, timeline, plans in
            track.configuration.map { configuration in
                PackagedLadder.Rung(
                    rendition: PackagedRendition(
                        name: movie.name, track: track.track, configuration: configuration, segments: plans,
                        bitRate: Self.bitRate(plans, track: track, targetDuration: targetDuration),
                        displayMatrix: track.displayMatrix, isEnabled: true, language: nil,
                        pixelAspectRatio: track.pixelAspectRatio, samples: track.samples, timeline: timeline),
                    file: movie.file)
            }
        }
        let mixesWithSource = rungs.allSatisfy { $0.rendition.configuration.isAV1 == video.configuration.isAV1 }
        return PackagedTitle(
            self,
            ladder: PackagedLadder(
                rungs: rungs, mixesWithSource: mixesWithSource,
                offersSource: video.hasClosedSegments && mixesWithSource),
            targetDuration: targetDuration)
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
        ladder?.rungs.first { $0.rendition.name == rendition.name }?.file ?? file
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

    /// The bandwidth in bits per second that the first variant may take.
    private static let firstBandwidth = 2_000_000
}
