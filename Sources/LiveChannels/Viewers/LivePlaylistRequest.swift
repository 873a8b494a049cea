package import MediaCore
import Packaging

/// A request for one of a channel's playlists.
package struct LivePlaylistRequest: Sendable, Hashable {
    /// `playlist` for the multivariant playlist, a rendition's name, or ``LiveWindow/manifestName``.
    package var name: String
    package var form: LivePlaylistForm
    /// True if a delta update is requested (`_HLS_skip`); the answer is one if possible.
    package var skips: Bool
    /// The position that the playlist must have reached before it is returned (`_HLS_msn` and `_HLS_part`).
    package var position: ReloadPosition?
    /// The time at which playback should begin (`start`).
    package var start: WallClockTime?
    /// The codec generation in the URI of a rendition's playlist (`codecs`); `nil` means 0. See
    /// ``LiveWindow/codecGeneration``.
    package var codecGeneration: Int?

    package init(
        name: String, form: LivePlaylistForm = .lowLatency, skips: Bool = false, position: ReloadPosition? = nil,
        start: WallClockTime? = nil, codecGeneration: Int? = nil
    ) {
        self.name = name
        self.form = form
        self.skips = skips
        self.position = position
        self.start = start
        self.codecGeneration = codecGeneration
    }

    /// True if the playlist can reach back into the archive, rather than only to its own beginning.
    var mayStartEarlier: Bool { !isTransportStream && name != LiveWindow.iFramesName }

    /// True for playlists of the channel as MPEG-TS.
    var isTransportStream: Bool {
        name == LiveWindow.transportStreamName || name == LiveWindow.multivariantName && form == .transportStream
    }

    /// True for the playlists of fMP4 renditions, which players find in the multivariant playlist.
    var isOfRendition: Bool { name == LiveWindow.iFramesName || RenditionID(name: name) != nil }

    /// True if the playlist grows by parts, so that a reload may wait for one.
    package var mayBlock: Bool { mayStartEarlier && name != LiveWindow.manifestName }

    /// The key under which a playlist is rendered once for all equal requests.
    var revisionKey: LivePlaylistRequest {
        LivePlaylistRequest(name: name, form: form, skips: skips && name != LiveWindow.manifestName)
    }
}
