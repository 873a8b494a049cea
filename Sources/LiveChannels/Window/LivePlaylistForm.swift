/// The form of a playlist that a player requests.
package enum LivePlaylistForm: Sendable, Hashable {
    /// A playlist with parts, hints and reports.
    case lowLatency
    /// `?ll=1`: the same, for a player that is known to support parts. It need not wait for the first whole segment.
    case partsAtOnce
    /// `?ll=0`: whole segments only.
    case wholeSegments
    /// `?scoreboard=1`: the video with the scoreboard in the picture. Used for the multivariant playlist.
    case withScoreboard
    /// `?format=ts`: MPEG-TS. Used for the multivariant playlist; its media playlist has a name of its own.
    case transportStream
}
