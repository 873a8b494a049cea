package import MediaCore

/// The address of a title or track in a URL.
package enum TitleAddress: Hashable, Sendable {
    case title(id: MediaName)
    /// The path of a title's file, relative to the media folder.
    case titleFile(name: MediaFileName)
    case track(id: MediaName)

    /// Returns `nil` if the path is not that of a title or track.
    ///
    /// - Parameter path: the path of the title's playlists, such as `/vod/film`.
    package init?(path: String) {
        guard let subject = MediaSubject(path: path), case .title(let address) = MediaRequest.Source(subject) else {
            return nil
        }
        self = address
    }
}

extension TitleAddress: CustomStringConvertible {
    /// The kind and the name for messages, such as `title "film"`.
    package var description: String {
        let (kind, name) =
            switch self {
            case .title(let id): ("title", id.text)
            case .titleFile(let name): ("title of the file", name.text)
            case .track(let id): ("track", id.text)
            }
        return "\(kind) \"\(UntrustedText.escaped(name, maximumCharacterCount: Self.maximumShownNameLength))\""
    }

    private static let maximumShownNameLength = 100
}
