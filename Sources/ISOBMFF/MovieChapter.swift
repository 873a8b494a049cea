package import MediaCore

/// A named place in a movie.
package struct MovieChapter: Sendable, Hashable {
    package var start: MediaTime
    package var title: String

    package init(start: MediaTime, title: String) {
        self.start = start
        self.title = title
    }

    /// A film has thirty, an audio book some hundred.
    package static let maximumCount = 1_000
    /// Longer titles are cut.
    static let maximumTitleByteCount = 1_024
}
