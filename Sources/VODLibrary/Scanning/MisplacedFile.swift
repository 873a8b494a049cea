/// A media file in the section of another kind: an MP3 among the films.
package struct MisplacedFile: Sendable, Hashable {
    /// Relative to the media folder.
    package var file: String
    /// Where it belongs.
    package var section: LibrarySection

    package init(file: String, section: LibrarySection) {
        self.file = file
        self.section = section
    }
}
