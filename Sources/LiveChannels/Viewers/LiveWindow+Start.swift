import DASHManifest
import HLSPlaylist
import MediaCore
import Packaging

/// `?start=`: a link to the beginning of a programme.
///
/// The playlist begins with the segment that is shown at that time and says with EXT-X-START where in it. Both are
/// needed, because Apple's player, hls.js and ExoPlayer join a live playlist at its end unless EXT-X-START tells them
/// otherwise, while ffmpeg and others that do not know the tag can be told to begin with the first segment. While the
/// window slides on, the offset stays the same: small, and counted from the playlist's own beginning.
extension LiveWindow {
    /// The playlist that begins at a given time; it is rendered when it is first needed. Returns `nil` if there is no
    /// such playlist.
    ///
    /// - Parameters:
    ///   - request: what is asked for.
    ///   - start: a time before the window means its beginning, a time in the future means the live edge.
    ///   - now: the present, which manifests tell.
    func rendered(
        _ request: LivePlaylistRequest, from start: WallClockTime, now: WallClockTime
    ) -> RenderedPlaylist? {
        let window = self
        if request.name == Self.manifestName {
            return RenderedPlaylist { window.presentation(request.form, from: start, now: now).rendered() }
        }
        if request.name == LiveWindow.multivariantName {
            return RenderedPlaylist { window.multivariantPlaylist(request.form, from: start).rendered() }
        }
        guard let rendition = rendition(named: request.name[...]), rendition.edge != nil else { return nil }
        return RenderedPlaylist {
            let (playlist, archived) = window.mediaPlaylist(of: rendition, request.form, from: start)
            return playlist.rendered(behind: archived, skips: request.skips)
        }
    }

    /// The multivariant playlist whose URIs carry the start time.
    func multivariantPlaylist(_ form: LivePlaylistForm, from start: WallClockTime) -> MultivariantPlaylist {
        var playlist = multivariantPlaylist(form)
        for index in playlist.variants.indices {
            playlist.variants[index].uri = Self.uri(playlist.variants[index].uri, from: start)
        }
        for index in playlist.renditions.indices {
            playlist.renditions[index].uri = playlist.renditions[index].uri.map { Self.uri($0, from: start) }
        }
        return playlist
    }

    /// - Returns: the playlist of the segments in memory, and the segments on disk to list before it.
    func mediaPlaylist(
        of rendition: RenditionWindow, _ form: LivePlaylistForm, from start: WallClockTime
    ) -> (MediaPlaylist, ArraySlice<ArchivedSegment>) {
        var playlist = mediaPlaylist(of: rendition, form)
        for index in playlist.renditionReports.indices {
            playlist.renditionReports[index].uri = Self.uri(playlist.renditionReports[index].uri, from: start)
        }
        let all = rendition.archived.segments
        let first = all.firstIndex(fromMediaSequence: firstMediaSequence(at: start))
        let kept = all[first...]
        playlist.mediaSequence =
            kept.first?.header.mediaSequence ?? rendition.listed.first?.mediaSequence ?? playlist.mediaSequence
        playlist.discontinuitySequence = playlist.discontinuitySequence.map {
            $0 + all[..<first].count(where: \.header.isDiscontinuous)
        }
        let spans =
            kept.map { (date: $0.header.programDateTime, duration: $0.duration) }
            + rendition.listed.map { (date: $0.programDateTime, duration: $0.duration.seconds) }
        playlist.start = Self.offset(of: start, in: spans).map { StartPoint(timeOffset: $0, isPrecise: true) }
        return (playlist, kept)
    }

    /// The media sequence number of the segment on disk that is shown at that time; all renditions begin with the same.
    private func firstMediaSequence(at start: WallClockTime) -> Int {
        guard let leading = renditions.first?.archived.segments else { return 0 }
        let index = leading.firstIndex(showing: start)
        return index < leading.count ? leading[index].header.mediaSequence : Int.max
    }

    /// Seconds from the first segment's beginning; `nil` for a time in the future. Dates may jump from segment to
    /// segment, while durations add up.
    private static func offset(
        of start: WallClockTime, in spans: [(date: WallClockTime, duration: Double)]
    ) -> Double? {
        var elapsed = 0.0
        for span in spans {
            let inside = Double(start.milliseconds(since: span.date)) / 1_000
            if inside < span.duration { return elapsed + max(0, inside) }
            elapsed += span.duration
        }
        return nil
    }

    private static func uri(_ uri: String, from start: WallClockTime) -> String {
        let milliseconds = start.millisecondsSince1970
        let fraction = milliseconds % 1_000
        let digits = fraction == 0 ? "" : "." + String(String(fraction + 1_000).dropFirst())
        return uri + (uri.contains("?") ? "&" : "?") + "start=\(milliseconds / 1_000)\(digits)"
    }
}
