import HTTPTypes

/// The kinds of playlists, which determine how long caches may keep them.
enum PlaylistKind: Sendable {
    case live
    case blockingReload
    case title
    /// The playlist contains a token, so shared caches must not store it.
    case encryptedTitle
    case liveManifest
    case liveManifestPatch
    case titleManifest
    case encryptedManifest

    var fields: HTTPFields {
        switch self {
        case .live: MediaFields.livePlaylist
        case .blockingReload: MediaFields.blockingReload
        case .title: MediaFields.titlePlaylist
        case .encryptedTitle: MediaFields.encryptedTitlePlaylist
        case .liveManifest: MediaFields.liveManifest
        case .liveManifestPatch: MediaFields.liveManifestPatch
        case .titleManifest: MediaFields.titleManifest
        case .encryptedManifest: MediaFields.encryptedTitleManifest
        }
    }
}
