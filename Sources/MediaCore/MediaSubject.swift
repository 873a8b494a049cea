/// A channel, title or track, as the path of its media names it. Permissions are decided by it, whatever the protocol.
package enum MediaSubject: Sendable, Hashable {
    /// A channel's name without `.stream`.
    case channel(MediaName)
    /// A title's ID.
    case title(id: MediaName)
    /// The path of a title's file, relative to the media folder.
    case titleFile(name: MediaFileName)
    /// A track's ID.
    case track(id: MediaName)

    /// Reads the path of a folder, such as `/live/canalA.stream`, `/vod/film`, `/vod/mp4:film.mp4` or `/radio/song`.
    ///
    /// - Parameter path: an absolute path without a query, percent-encoded.
    /// - Returns: `nil` for the path of anything else, and for one with a signature.
    package init?(path: String) {
        guard let path = MediaPath(path[...]), path.signature == nil, let application = path.components.first else {
            return nil
        }
        self.init(application: application, path.components.dropFirst())
    }

    /// - Parameters:
    ///   - application: the first component of the path: `live`, `vod` or `radio`.
    ///   - components: the decoded components that follow it, without those of a piece of the media.
    package init?(application: Substring, _ components: ArraySlice<Substring>) {
        var components = components
        switch application {
        case "live":
            // Compared as bytes, because characters hide what a combining mark follows.
            let suffix = Self.channelSuffix.utf8
            guard let name = components.first, components.count == 1,
                name.utf8.suffix(suffix.count).elementsEqual(suffix),
                let name = MediaName(Substring(name.utf8.dropLast(suffix.count)))
            else { return nil }
            self = .channel(name)
        case "vod":
            // Wowza's name for the default application instance.
            if components.first == "_definst_" { components.removeFirst() }
            guard let title = Self.title(components) else { return nil }
            self = title
        case "radio":
            guard components.count == 1, let id = components.first.flatMap({ MediaName($0) }) else { return nil }
            self = .track(id: id)
        default: return nil
        }
    }

    private static let channelSuffix = ".stream"

    /// Parses `{id}`, or Wowza's `mp4:{file}`, where the file may be in a folder.
    private static func title(_ components: ArraySlice<Substring>) -> MediaSubject? {
        guard let first = components.first else { return nil }
        guard first.utf8.starts(with: "mp4:".utf8) else {
            return components.count == 1 ? MediaName(first).map { .title(id: $0) } : nil
        }
        let folders = [Substring(first.utf8.dropFirst("mp4:".utf8.count))] + components.dropFirst()
        return MediaFileName(folders.joined(separator: "/")).map { .titleFile(name: $0) }
    }

    /// The folder that holds all of its media, in one spelling.
    package var folder: String {
        switch self {
        case .channel(let name): "/live/\(name.text)\(Self.channelSuffix)"
        case .title(let id): "/vod/\(id.text)"
        case .titleFile(let name): "/vod/mp4:\(name.encoded)"
        case .track(let id): "/radio/\(id.text)"
        }
    }
}
