import Codecs
import MediaCore
import Packaging

/// Handles a publisher that comes back with another codec.
///
/// Few players can change the decoder within a playlist: those of ffmpeg, mpv, GStreamer and Chromium stop, or stall
/// for good. So the playlists of the earlier codec end (EXT-X-ENDLIST) for current viewers, and the multivariant
/// playlist names others, which contain only the new codec. A player that starts, or starts again, finds nothing that
/// it cannot play.
extension LiveChannel.State {
    /// Ends the window if its codec differs from the one that is about to be published.
    ///
    /// - Returns: the waiters for media that will never come.
    mutating func endWindow(beforeCodecsOf tracks: [LivePackagerTrack], now: WallClockTime) -> ReleasedWaiters {
        guard !presence.isSlate else { return ReleasedWaiters() }
        let new = Dictionary(
            tracks.map { ($0.rendition, $0.configuration.name) }, uniquingKeysWith: { first, _ in first })
        let isOther = window.renditions.contains { rendition in
            guard rendition.hasMedia || !rendition.archived.hasNoMedia, let name = new[rendition.id] else {
                return false
            }
            return name != codecs[rendition.id] ?? rendition.configuration.name
        }
        defer { codecs.merge(new) { $1 } }
        guard isOther else { return ReleasedWaiters() }
        window.end()
        beginWindow(codecGeneration: window.codecGeneration + 1, now: now)
        return takeWaitersOfFormerWindow()
    }

    /// The playlist for a request for a playlist of the previous window, which has ended; `nil` for other requests.
    mutating func formerPlaylist(_ request: LivePlaylistRequest, now: WallClockTime) -> RenderedPlaylist? {
        guard let former, now < former.expiry, former.window.hasEnded,
            former.window.codecGeneration != window.codecGeneration
        else { return nil }
        let isFormer =
            request.isOfRendition && request.codecGeneration ?? 0 != window.codecGeneration
            // MPEG-TS continues under the same URI, unless it cannot carry the new codec.
            || request.name == LiveWindow.transportStreamName && window.transportStreamObstacle != nil
        guard isFormer else { return nil }
        let key = request.revisionKey
        if let rendered = former.playlists[key] { return rendered }
        let rendered = former.window.rendered(key, now: now)
        self.former?.playlists[key] = rendered
        return rendered
    }
}
