package import MediaCore

/// The target of a media path, for those who decide about it.
package struct MediaAddress: Sendable, Hashable {
    /// The subject, as far as the rules of permission know it.
    package let subject: MediaSubject
    /// The folder that holds all of it, such as `/live/canalA.stream`, in one spelling; what a signature covers.
    package let folder: String
    /// The text of the signature in the path; `nil` without one.
    package let signature: String?
    /// Whether playback begins here: a player reads the list of renditions once, before anything else.
    package let beginsPlayback: Bool
    /// Whether it is a playlist.
    package let isPlaylist: Bool
    /// Whether it is of the film or programme itself, and not what is shown beside it.
    package let isPlayed: Bool

    /// - Parameter target: the path of a playlist, segment or file of a channel, title or track, with or without a
    ///   query.
    /// - Returns: `nil` for the path of anything else.
    package init?(target: String) {
        guard let media = MediaRequest(target: target) else { return nil }
        self.init(media)
    }

    init(_ media: MediaRequest) {
        subject = media.subject
        folder = media.folder
        signature = media.signature
        isPlaylist = media.isPlaylist
        isPlayed = media.isOfMedia
        beginsPlayback =
            switch media.resource {
            case .playlist(let name): name.text == "playlist"
            case .manifest, .file: true
            default: false
            }
    }

    /// The path of a playlist or file that somebody may be given.
    ///
    /// - Parameter path: such a path with or without a query, or the path of its folder.
    /// - Returns: what it leads to, and the path in its one spelling with the parameters that mean something; `nil` for
    ///   the path of anything else.
    package static func entry(_ path: String) -> (address: MediaAddress, target: String)? {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        for target in [path, "\(path)\(path.hasSuffix("/") ? "" : "/")playlist.m3u8"] {
            guard let media = MediaRequest(target: target), media.signature == nil else { continue }
            guard media.isEntry, media.directives.conflict == nil else { return nil }
            return (MediaAddress(media), media.canonicalAddress)
        }
        return nil
    }
}
