package import Packaging

/// Where the titles that readers ask for by RTSP come from.
package protocol ReadableTitles: Sendable {
    /// - Parameter path: of the URL, such as `/vod/film` or `/vod/mp4:film.mp4`.
    /// - Returns: `nil` where there is no such title, or it cannot be played yet.
    /// - Throws: where its file cannot be read.
    func title(path: String) async throws -> ReadableTitle?
}

package struct ReadableTitle: Sendable {
    package var packaged: PackagedTitle
    /// For people.
    package var name: String

    package init(packaged: PackagedTitle, name: String) {
        self.packaged = packaged
        self.name = name
    }
}
