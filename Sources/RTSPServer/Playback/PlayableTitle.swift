package import Packaging

/// A title that can be played by RTSP.
package struct PlayableTitle: Sendable {
    package var packaged: PackagedTitle
    /// Human-readable name of the title.
    package var name: String

    package init(packaged: PackagedTitle, name: String) {
        self.packaged = packaged
        self.name = name
    }
}
