import Codecs
import HLSPlaylist
import MediaCore
import Packaging

/// The I-frame playlist: the first frame of each segment, for trick play and seeking (rfc8216bis §4.4.3.6).
///
/// It has one frame per segment, even if the segment has more key frames. So the playlist uses the segments' own
/// sequence numbers, which survive restarts. A segment that does not begin with a key frame is a gap here.
///
/// With a ladder they are the frames of the lowest quality, which are enough for pictures of this size.
extension LiveWindow {
    package static let iFramesName = "iframes"

    /// Empty if no frame can be fetched by itself.
    func iFrameVariants(of video: RenditionWindow) -> [IFrameVariantStream] {
        let media =
            video.archived.segments.compactMap { segment in
                segment.keyFrameByteCount.map { (byteCount: $0, duration: segment.duration) }
            }
            + video.listed.compactMap { segment in
                segment.keyFrameByteCount.map { (byteCount: $0, duration: segment.duration.seconds) }
            }
        guard !media.isEmpty else { return [] }
        let rate = SegmentBitRate(segments: media, targetDuration: Double(targetDuration))
        return [
            IFrameVariantStream(
                bandwidth: Int(Double(rate.peak) * Self.bitRateMargin),
                averageBandwidth: Int(Double(rate.average) * Self.bitRateMargin),
                codecs: [video.configuration.rfc6381],
                resolution: video.configuration.videoSize.map {
                    VariantStream.Resolution(width: $0.width, height: $0.height)
                }, videoRange: video.configuration.videoRangeAttribute, uri: uri(of: Self.iFramesName))
        ]
    }

    /// The video whose frames are listed. What is on disk has no lower quality.
    var video: RenditionWindow? {
        (archivedSeconds > 0 ? nil : lowestRung) ?? renditions.first { $0.mediaType == .video }
    }

    /// The lowest quality of the ladder that has media; `nil` without a ladder.
    var lowestRung: RenditionWindow? {
        func height(_ rendition: RenditionWindow) -> Int { rendition.configuration.videoSize?.height ?? 0 }
        return renditions.filter { $0.id.isRung && $0.id != .scoreboard && $0.hasMedia }.min { height($0) < height($1) }
    }

    /// True if there is, or was, video.
    var hasVideo: Bool { video?.edge != nil }

    func iFramePlaylist() -> MediaPlaylist {
        var playlist = MediaPlaylist(
            version: 5, targetDuration: targetDuration, mediaSequence: video?.firstMediaSequence ?? 0,
            discontinuitySequence: video?.discontinuitySequence,
            playlistType: playlistType(from: video?.firstMediaSequence ?? 0), hasIndependentSegments: false,
            hasEndList: hasEnded,
            segments: video.map(Self.iFrames) ?? [], isIFramesOnly: true, dateRanges: dateRanges)
        playlist.version = playlist.requiredVersion
        return playlist
    }

    private static func iFrames(of video: RenditionWindow) -> [MediaSegment] {
        video.archived.segments.map { iFrame($0.keyFrameByteCount, of: $0.header, duration: $0.duration, video) }
            + video.listed.map { iFrame($0.keyFrameByteCount, of: $0.header, duration: $0.duration.seconds, video) }
    }

    /// The entry of a segment's first frame. It lasts until the next segment's frame, so EXTINF is the segment's own.
    private static func iFrame(
        _ byteCount: Int?, of header: LiveSegmentHeader, duration: Double, _ video: RenditionWindow
    ) -> MediaSegment {
        MediaSegment(
            uri: "\(header.epoch)/\(video.name)/\(header.mediaSequence).m4s", duration: duration,
            isDiscontinuous: header.isDiscontinuous,
            initializationSection: byteCount == nil ? nil : initializationURI(of: header, video),
            programDateTime: header.programDateTime.millisecondsSince1970, isGap: byteCount == nil,
            byteRange: byteCount.map { ByteRange(length: $0, offset: 0) })
    }
}
