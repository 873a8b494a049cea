import Codecs
import MediaCore
import Packaging

/// A publisher that comes back with another codec.
///
/// Few players can change the decoder of a playlist: that of ffmpeg and mpv, of GStreamer and of Chromium stops, or stands
/// still for good. So the playlists of the earlier codec end (EXT-X-ENDLIST), for those who watch them, and the
/// multivariant playlist names others, which hold the new codec only. A player that starts, or starts again, finds
/// nothing that it would stumble over.
extension LiveChannel.State {
    /// Ends the window if it holds another codec than what is about to be published.
    ///
    /// - Returns: viewers who wait for what will not come any more.
    mutating func endWindow(beforeCodecsOf tracks: [CodecConfiguration], now: Int64) -> ReleasedWaiters {
        guard epoch?.isSlate != true else { return ReleasedWaiters() }
        let new = Dictionary(tracks.map { ($0.mediaType, $0.name) }, uniquingKeysWith: { first, _ in first })
        let isOther = window.renditions.contains { rendition in
            guard rendition.hasMedia || !rendition.archived.hasNoMedia, let name = new[rendition.mediaType] else {
                return false
            }
            return name != codecs[rendition.mediaType] ?? rendition.configuration.name
        }
        defer { codecs.merge(new) { $1 } }
        guard isOther else { return ReleasedWaiters() }
        window.end()
        beginWindow(codecGeneration: window.codecGeneration + 1, now: now)
        return takeWaitersOfFormerWindow()
    }

    /// What a player gets that asks for a playlist of the window before, which has ended; `nil` if it asks for another.
    mutating func formerPlaylist(_ request: LivePlaylistRequest, now: Int64) -> RenderedPlaylist? {
        guard let former, now < former.expiry, former.window.hasEnded,
            former.window.codecGeneration != window.codecGeneration
        else { return nil }
        let isFormer =
            request.isOfRendition && request.codecGeneration ?? 0 != window.codecGeneration
            // MPEG-TS goes on under the same URI, unless it cannot carry the new codec.
            || request.name == LiveWindow.transportStreamName && window.transportStreamObstacle != nil
        guard isFormer else { return nil }
        let key = request.revisionKey
        if let rendered = former.playlists[key] { return rendered }
        let rendered = former.window.rendered(key)
        self.former?.playlists[key] = rendered
        return rendered
    }
}
