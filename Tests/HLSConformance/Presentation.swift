import Foundation

/// A playlist as one request brought it.
package struct PlaylistLoad: Sendable {
    package var url: String
    package var text: String
    package var contentType: String?
    /// The encoding of the answer when gzip was offered.
    package var contentEncoding: String?

    package init(url: String, text: String, contentType: String?, contentEncoding: String?) {
        self.url = url
        self.text = text
        self.contentType = contentType
        self.contentEncoding = contentEncoding
    }
}

/// An initialization section or a segment as one request brought it.
package struct ResourceLoad: Sendable {
    package var bytes: [UInt8]
    package var contentType: String?

    package init(bytes: [UInt8], contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }
}

/// A media playlist with as many of its segments as were fetched.
package struct RenditionLoad: Sendable {
    package var playlist: PlaylistLoad
    /// By absolute URL; a segment that is not here is not looked at.
    package var resources: [String: ResourceLoad]

    package init(playlist: PlaylistLoad, resources: [String: ResourceLoad] = [:]) {
        self.playlist = playlist
        self.resources = resources
    }
}

/// All that one player would load to play one title or channel.
package struct Presentation: Sendable {
    package var multivariant: PlaylistLoad
    package var renditions: [RenditionLoad]
    /// Whether a live channel has run for longer than its window, so that the window must be full.
    package var hasFullWindow: Bool

    package init(multivariant: PlaylistLoad, renditions: [RenditionLoad], hasFullWindow: Bool = false) {
        self.multivariant = multivariant
        self.renditions = renditions
        self.hasFullWindow = hasFullWindow
    }
}

/// The absolute URL of what a playlist at `base` calls `uri`.
package func resolve(_ uri: String, against base: String) -> String {
    URL(string: uri, relativeTo: URL(string: base))?.absoluteString ?? uri
}
