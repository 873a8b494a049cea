/// A chapter of a file.
package struct ChapterMark: Sendable, Hashable {
    /// The start in milliseconds on the title's timeline.
    package var start: Int64
    /// The chapter's name; empty if it has none.
    package var title: String

    /// The largest number of chapters; a film has thirty.
    package static let maximumCount = 1_000
}
