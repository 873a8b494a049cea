package import Accounts

/// A view of a published title: enough of it has been played.
package struct VideoView: Sendable, Hashable {
    /// The viewer.
    package enum Viewer: Sendable, Hashable {
        case account(UserID)
        /// A hash of address and user agent that means nothing to any other process.
        case stranger(UInt64)
    }

    /// The title as the address of its media names it.
    package enum Title: Sendable, Hashable {
        case id(String)
        /// The path of its file, relative to the media folder.
        case file(String)
    }

    package var viewer: Viewer
    package var title: Title

    package init(_ viewer: Viewer, _ title: Title) { (self.viewer, self.title) = (viewer, title) }
}
