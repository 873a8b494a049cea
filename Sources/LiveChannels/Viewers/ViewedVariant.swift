import MediaCore

/// The part of a channel that a viewer watches, derived from the playlists that it requests.
package enum ViewedVariant: String, Sendable, Hashable, CaseIterable {
    /// Video, with audio if there is any, as fMP4.
    case video
    /// Audio only.
    case audio
    /// MPEG-TS.
    case transportStream = "ts"

    /// - Parameter name: the playlist's name. The result is `nil` for the multivariant playlist, which does not tell
    ///   what the player will choose.
    package init?(playlist name: String) {
        switch (name, RenditionID(name: name)?.mediaType) {
        case (LiveWindow.iFramesName, _), (_, .video): self = .video
        case (_, .audio): self = .audio
        case (LiveWindow.transportStreamName, _): self = .transportStream
        default: return nil
        }
    }
}
