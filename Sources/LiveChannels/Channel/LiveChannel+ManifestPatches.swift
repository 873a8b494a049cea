import MediaCore
package import Packaging

extension LiveChannel {
    /// The answer to a request for a patch of the manifest.
    package enum ManifestPatchAnswer: Sendable {
        case ready(RenderedPlaylist)
        /// The manifest that the player has is not known any more.
        case unknown
        /// There is no manifest now.
        case absent
    }

    /// The difference between a manifest that a player has and the current one.
    ///
    /// - Parameters:
    ///   - published: the time of publication of the player's manifest, in milliseconds since 1970.
    ///   - form: its form.
    package func manifestPatch(from published: Int64, _ form: LivePlaylistForm) -> ManifestPatchAnswer {
        guard case .ready(let current) = playlist(LivePlaylistRequest(name: LiveWindow.manifestName, form: form)) else {
            return .absent
        }
        // The next patch begins with what this one leads to.
        _ = current.plain
        return withState(\.manifests).patch(from: published, form).map { .ready($0) } ?? .unknown
    }
}
