package import MediaCore

/// A chapter of a movie.
package struct MovieChapter: Sendable, Hashable {
    /// Start of the chapter on the movie's timeline.
    package var start: MediaTime
    package var title: String

    package init(start: MediaTime, title: String) {
        self.start = start
        self.title = title
    }

    /// Limit on the number of chapters. A film has about thirty, an audio book a few hundred.
    package static let maximumCount = 1_000
    /// Limit on the length of a title; longer titles are cut.
    static let maximumTitleByteCount = 1_024
}
