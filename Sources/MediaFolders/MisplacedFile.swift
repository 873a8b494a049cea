package import LibraryCore

/// A media file in the wrong section: for example an MP3 among the titles.
package struct MisplacedFile: Sendable, Hashable {
    /// Path relative to the media folder.
    package var file: String
    /// The section to which the file belongs.
    package var section: LibrarySection

    package init(file: String, section: LibrarySection) {
        self.file = file
        self.section = section
    }
}
