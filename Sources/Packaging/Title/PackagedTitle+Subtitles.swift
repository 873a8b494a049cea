package import HLSPlaylist
import ISOBMFF
import MediaCore
package import NIOCore

extension PackagedTitle {
    /// The text tracks inside the file. Reads the file: not for event loops.
    package func embeddedSubtitles() -> [SubtitleTrack] {
        let tracks = (try? MovieTextTrack.all(in: file)) ?? []
        return tracks.prefix(SubtitleFile.maximumCount).map { SubtitleTrack(.track($0), of: file) }
    }

    private var leading: PackagedRendition? { renditions.first }

    /// Returns the media playlist of a subtitle rendition.
    ///
    /// - Parameters:
    ///   - member: The rendition.
    ///   - version: Part of the segments' URLs. It changes with the subtitles, and with the video, whose segments
    ///     determine where the subtitles are cut.
    package func subtitlePlaylist(of member: SubtitleRenditions.Member, version: String) -> MediaPlaylist {
        let folder = "\(version)/\(member.name)/"
        let segments = leading?.segments.indices.map { index in
            MediaSegment(uri: "\(folder)\(index).vtt", duration: leading?.duration(ofSegment: index) ?? 0)
        }
        return MediaPlaylist(
            version: 3, targetDuration: targetDuration, playlistType: .vod, hasIndependentSegments: false,
            hasEndList: true, segments: segments ?? [])
    }

    /// Returns a segment of a subtitle document.
    ///
    /// - Parameters:
    ///   - index: The segment's index; the result is `nil` if the title has no such segment.
    ///   - document: The cues.
    package func subtitleSegment(_ index: Int, of document: SubtitleDocument) -> ByteBuffer? {
        guard let leading, leading.segments.indices.contains(index) else { return nil }
        func milliseconds(_ decodeTime: Int64) -> Int64 {
            MediaTime(
                value: decodeTime.subtractingSaturating(leading.timeline.firstPresentedMediaTime),
                timescale: leading.track.timescale
            ).converted(to: .milliseconds).value
        }
        let segment = leading.segments[index]
        // Cues before the first frame or after the last belong to the first or last segment.
        let start = index == 0 ? .min : milliseconds(segment.decodeTime)
        let isLast = index == leading.segments.count - 1
        let end = isLast ? .max : milliseconds(segment.decodeTime.addingSaturating(segment.duration))
        return document.segment(from: start, to: end)
    }
}
