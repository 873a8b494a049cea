package import Packaging

/// The answer to a request for a playlist.
package enum LivePlaylistAnswer: Sendable {
    case ready(RenderedPlaylist)
    /// The playlist will exist: see ``LiveChannel/wait(for:identifier:on:until:)``.
    case pending(AwaitedMedia)
    /// The position is further ahead than a player may wait for.
    case tooFarAhead
    /// The playlist does not exist in the requested form; the reason is human-readable.
    case unsuitable(String)
    /// The channel has no such playlist, or nothing to play at all.
    case absent
}
