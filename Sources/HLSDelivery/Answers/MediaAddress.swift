import Foundation

/// What the path of media leads to, for those who decide about it.
package struct MediaAddress: Sendable, Hashable {
    /// What it is, as far as the rules of permission know it.
    package let subject: ViewingSubject
    /// The folder that holds all of it, such as `/live/canalA.stream`, percent-encoded; what a signature covers.
    package let folder: String
    /// The text of the signature in the path; `nil` without one.
    package let signature: String?
    /// Whether playback begins here: a player reads the list of renditions once, before anything else.
    package let beginsPlayback: Bool

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
        beginsPlayback = media.resource == .playlist("playlist") || media.resource == .file
    }

    /// The path of a playlist or file that somebody may be given.
    ///
    /// - Parameter path: such a path with or without a query, or the path of its folder.
    /// - Returns: `nil` for the path of anything else.
    package static func entry(_ path: String) -> (address: MediaAddress, target: String)? {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        for target in [path, "\(path)\(path.hasSuffix("/") ? "" : "/")playlist.m3u8"] {
            guard let media = MediaRequest(target: target), media.signature == nil else { continue }
            switch media.resource {
            case .playlist, .file: return (MediaAddress(media), target)
            default: return nil
            }
        }
        return nil
    }
}

extension MediaRequest {
    /// The folder that holds all of the channel, title or track; the same text for each spelling of its path.
    var folder: String {
        switch source {
        case .channel(let name): "/live/\(Self.escaped(name)).stream"
        case .title(.title(let id)): "/vod/\(Self.escaped(id))"
        case .title(.titleFile(let name)): "/vod/mp4:\(Self.escaped(name))"
        case .title(.track(let id)): "/radio/\(Self.escaped(id))"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }

    /// RFC 3986 §2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
