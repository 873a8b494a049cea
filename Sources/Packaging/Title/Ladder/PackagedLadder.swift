import Codecs
package import ISOBMFF
package import MediaCore

/// Renditions of a title's video in other qualities, each in a file of its own.
package struct PackagedLadder: Sendable {
    package struct Rung: Sendable {
        package var rendition: PackagedRendition
        package var file: MediaFile
    }

    package var rungs: [Rung]
    /// Whether players may change between the rungs and the source: not where one of them alone is AV1. Chromium 156,
    /// which always has AV1 and H.264, would change when its line carries the other, and stop for good ("Video codec
    /// changes not allowed"). H.264 and HEVC stay together: most players have one of them, or change without a word.
    package var mixesWithSource: Bool
    /// Whether the source is one of the variants. Where its groups of pictures are open, a change to it would show
    /// pictures that refer to others which were never decoded.
    package var offersSource: Bool
}

/// A movie with nothing but a title's video in another quality.
package struct LadderMovie: Sendable {
    /// Stands in URLs; changes whenever the movie does.
    package var name: String
    package var index: MovieIndex
    package var file: MediaFile
    /// When its first picture is shown, on the title's timeline.
    package var start: MediaTime

    package init(name: String, index: MovieIndex, file: MediaFile, start: MediaTime) {
        self.name = name
        self.index = index
        self.file = file
        self.start = start
    }
}

extension PackagedTitle {
    /// The title with other qualities of its video, all cut into segments where it is itself.
    ///
    /// - Throws: ``TitlePackagingError`` where a movie cannot be cut so.
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
            else { throw TitlePackagingError(.misaligned, "\(movie.name) has no key frame where a segment begins") }
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

    /// Where a rendition's samples are.
    func file(of rendition: PackagedRendition) -> MediaFile {
        ladder?.rungs.first { $0.rendition.name == rendition.name }?.file ?? file
    }

    /// The file's own picture, and the ladder's.
    var videoRenditions: [PackagedRendition] { [video].compactMap(\.self) + (ladder?.rungs.map(\.rendition) ?? []) }

    /// Those that players choose from. First the one that they begin with before they have measured anything: the best
    /// that a line of 2 Mbit/s carries. Then the others, the best first.
    func videoVariants(source: PackagedRendition) -> [PackagedRendition] {
        guard let ladder, !ladder.rungs.isEmpty else { return [source] }
        var variants = ladder.rungs.map(\.rendition) + (ladder.offersSource ? [source] : [])
        variants.sort { $0.bitRate.peak > $1.bitRate.peak }
        if let first = variants.firstIndex(where: { $0.bitRate.peak <= Self.firstBandwidth }) ?? variants.indices.last {
            variants.insert(variants.remove(at: first), at: 0)
        }
        return variants
    }

    /// Bits a second.
    private static let firstBandwidth = 2_000_000
}
