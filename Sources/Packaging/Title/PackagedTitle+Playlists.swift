import Codecs
package import HLSPlaylist
import ISOBMFF
import MediaCore

extension PackagedTitle {
    /// The group ID of audio renditions if there is a single group, and the prefix of all others.
    static let audioGroupID = "audio"

    /// Returns the multivariant playlist: one variant for each video rendition and each audio group; URIs are relative
    /// to the title's own path.
    package func multivariantPlaylist(
        subtitles: SubtitleRenditions = SubtitleRenditions([]), hasChapters: Bool = false
    ) -> MultivariantPlaylist {
        var playlist = variantsAndRenditions()
        if hasChapters {
            playlist.sessionData = [SessionData(id: TitleChapters.sessionDataID, uri: TitleChapters.fileName)]
        }
        guard !subtitles.members.isEmpty else { return playlist }
        playlist.renditions += subtitles.media
        for index in playlist.variants.indices {
            playlist.variants[index].subtitlesGroupID = SubtitleRenditions.groupID
        }
        return playlist
    }

    private func variantsAndRenditions() -> MultivariantPlaylist {
        var playlist = MultivariantPlaylist(
            version: Self.playlistVersion,
            hasIndependentSegments: video.map { videoVariants(source: $0).allSatisfy(\.hasIndependentSegments) } ?? true
        )
        let groups = AudioGroups(audio, ladderAudio: ladderAudio)
        // A single audio track without video is the variant itself.
        guard video != nil || audio.count > 1 else {
            playlist.variants = audio.first.map { [variant(of: $0)] } ?? []
            return playlist
        }
        playlist.renditions = groups.media
        guard let video else {
            playlist.variants = groups.groups.compactMap { group in
                groups.defaultRendition(of: group).map { variant(of: $0, with: group) }
            }
            return playlist
        }
        playlist.variants = videoVariants(source: video).flatMap { video in
            if let group = groups.ladderGroup, takesLadderAudio(video) { return [variant(of: video, with: group)] }
            return groups.groups.isEmpty
                ? [variant(of: video)] : groups.groups.map { variant(of: video, with: $0) }
        }
        playlist.iFrameVariants = iFrameVariants
        return playlist
    }

    private func variant(of rendition: PackagedRendition, with group: AudioGroups.Group? = nil) -> VariantStream {
        // BANDWIDTH is the largest sum of any playable combination of renditions (rfc8216bis §4.4.6.2). Audio that is
        // the variant itself is played instead of its group's.
        let audioRenditions = group?.renditions.map(\.rendition) ?? []
        let companions = rendition.track.mediaType == .video ? audioRenditions : []
        let alternatives = companions.isEmpty && !audioRenditions.isEmpty ? audioRenditions : [rendition]
        return VariantStream(
            bandwidth: (alternatives.map(\.bitRate.peak).max() ?? 0) + (companions.map(\.bitRate.peak).max() ?? 0),
            averageBandwidth: (alternatives.map(\.bitRate.average).max() ?? 0)
                + (companions.map(\.bitRate.average).max() ?? 0),
            codecs: ([rendition.configuration.rfc6381] + (group?.codecs ?? [])).uniqued,
            resolution: rendition.displaySize.map {
                VariantStream.Resolution(width: $0.width, height: $0.height)
            },
            frameRate: rendition.frameRate, videoRange: rendition.configuration.videoRangeAttribute,
            audioGroupID: group?.id, uri: "\(rendition.name).m3u8")
    }

    /// Returns the media playlist of a rendition.
    ///
    /// - Parameters:
    ///   - rendition: A rendition of this title.
    ///   - pathPrefix: The path between the playlist's folder and the renditions' names in segment URIs, with a
    ///     trailing slash. It changes with the media, so that segments never go stale.
    package func mediaPlaylist(of rendition: PackagedRendition, pathPrefix: String) -> MediaPlaylist {
        let folder = "\(pathPrefix)\(rendition.name)/"
        let dates = programDates(of: rendition)
        return MediaPlaylist(
            version: Self.playlistVersion, targetDuration: targetDuration, playlistType: .vod,
            hasIndependentSegments: rendition.hasIndependentSegments, hasEndList: true,
            segments: rendition.segments.indices.map { index in
                MediaSegment(
                    uri: "\(folder)\(index).m4s", duration: rendition.duration(ofSegment: index),
                    initializationSection: "\(folder)init.mp4", programDateTime: dates[index])
            })
    }

    /// The dates of a recording's segments, in milliseconds since 1970: of the first one, and of those that do not
    /// follow from the one before.
    private func programDates(of rendition: PackagedRendition) -> [Int: Int64] {
        guard !dates.isEmpty else { return [:] }
        var found: [Int: Int64] = [:]
        var expected: Double?
        for (index, segment) in rendition.segments.enumerated() {
            let start = MediaTime(value: segment.decodeTime, timescale: rendition.track.timescale)
            guard let date = dates.date(at: start)?.millisecondsSince1970 else { continue }
            if expected.map({ abs($0 - Double(date)) > Self.dateTolerance }) ?? true { found[index] = date }
            expected = Double(date) + rendition.duration(ofSegment: index) * 1_000
        }
        return found
    }

    /// Milliseconds by which a segment's date may differ from the one that follows from the segment before.
    private static let dateTolerance = 20.0
}
