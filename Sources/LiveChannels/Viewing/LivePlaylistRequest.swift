import MediaCore
package import Packaging

/// A request for one of a channel's playlists.
package struct LivePlaylistRequest: Sendable, Hashable {
    /// `playlist` for the multivariant playlist, or a rendition's name.
    package var name: String
    package var form: LivePlaylistForm
    /// True if a delta update is requested (`_HLS_skip`); the answer is one if possible.
    package var skips: Bool
    /// The position that the playlist must have reached before it is returned (`_HLS_msn` and `_HLS_part`).
    package var position: ReloadPosition?
    /// The time at which playback should begin (`start`), in milliseconds since 1970.
    package var start: Int64?
    /// The codec generation in the URI of a rendition's playlist (`codecs`); `nil` means 0. See
    /// ``LiveWindow/codecGeneration``.
    package var codecGeneration: Int?

    package init(
        name: String, form: LivePlaylistForm = .lowLatency, skips: Bool = false, position: ReloadPosition? = nil,
        start: Int64? = nil, codecGeneration: Int? = nil
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
        name == LiveWindow.transportStreamName || name == "playlist" && form == .transportStream
    }

    /// True for the playlists of fMP4 renditions, which players find in the multivariant playlist.
    var isOfRendition: Bool { name == LiveWindow.iFramesName || MediaType(rawValue: name) != nil }

    /// True if the playlist grows by parts, so that a reload may wait for one.
    package var mayBlock: Bool { !isTransportStream && name != LiveWindow.iFramesName }

    /// The key under which a playlist is rendered once for all equal requests.
    var revisionKey: LivePlaylistRequest { LivePlaylistRequest(name: name, form: form, skips: skips) }
}

/// The answer to a request for a playlist.
package enum LivePlaylistAnswer: Sendable {
    case ready(RenderedPlaylist)
    /// The playlist will exist: see ``LiveChannel/wait(for:identifier:on:)``.
    case pending(LiveMoment)
    /// The position is further ahead than a player may wait for.
    case tooFarAhead
    /// The playlist does not exist in the requested form; the reason is human-readable.
    case unsuitable(String)
    /// The channel has no such playlist, or nothing to play at all.
    case absent
}

/// The event for which a viewer waits.
package enum LiveMoment: Sendable, Hashable {
    /// Every rendition has its first part.
    case firstPart
    /// The rendition has its first segment, which players without support for parts need.
    case firstSegment(rendition: String)
    case position(ReloadPosition, rendition: String)
    case part(LivePartAddress)
}

/// The address of a part, as in the playlist's URIs.
package struct LivePartAddress: Sendable, Hashable {
    package var rendition: String
    package var epoch: String
    package var mediaSequence: Int
    package var index: Int

    package init(rendition: String, epoch: String, mediaSequence: Int, index: Int) {
        self.rendition = rendition
        self.epoch = epoch
        self.mediaSequence = mediaSequence
        self.index = index
    }
}
