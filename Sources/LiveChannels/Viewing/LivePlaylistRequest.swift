import MediaCore
package import Packaging

/// Which of a channel's playlists a player wants, and how it wants it.
package struct LivePlaylistRequest: Sendable, Hashable {
    /// `playlist` for the multivariant one, or a rendition's name.
    package var name: String
    package var form: LivePlaylistForm
    /// `_HLS_skip`: a delta update, where it is one.
    package var skips: Bool
    /// `_HLS_msn` and `_HLS_part`: the answer waits until the playlist has come that far.
    package var position: ReloadPosition?
    /// `start`: where playback is to begin, in milliseconds since 1970.
    package var start: Int64?
    /// `codecs`, of a rendition's playlist; `nil` is 0. See ``LiveWindow/codecGeneration``.
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

    /// Reaches back to the archive in time, rather than from its beginning only.
    var mayStartEarlier: Bool { !isTransportStream && name != LiveWindow.iFramesName }

    /// Of the channel as MPEG-TS.
    var isTransportStream: Bool {
        name == LiveWindow.transportStreamName || name == "playlist" && form == .transportStream
    }

    /// In fMP4: players come to it by the multivariant playlist.
    var isOfRendition: Bool { name == LiveWindow.iFramesName || MediaType(rawValue: name) != nil }

    /// Whether the playlist grows by parts, so that a reload may wait for one.
    package var mayBlock: Bool { !isTransportStream && name != LiveWindow.iFramesName }

    /// What is rendered once for all who want the same.
    var revisionKey: LivePlaylistRequest { LivePlaylistRequest(name: name, form: form, skips: skips) }
}

package enum LivePlaylistAnswer: Sendable {
    case ready(RenderedPlaylist)
    /// It will be: see ``LiveChannel/wait(for:identifier:on:)``.
    case pending(LiveMoment)
    /// The position is further ahead than a player may wait for.
    case tooFarAhead
    /// Not in the form that is asked for; the reason is for people.
    case unsuitable(String)
    /// The channel has no such playlist, or nothing to play at all.
    case absent
}

/// What a viewer waits for.
package enum LiveMoment: Sendable, Hashable {
    /// Every rendition has its first part.
    case firstPart
    /// The rendition has its first segment: what players that know nothing of parts need.
    case firstSegment(rendition: String)
    case position(ReloadPosition, rendition: String)
    case part(LivePartAddress)
}

/// Which part is meant: see the playlist's URIs.
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
