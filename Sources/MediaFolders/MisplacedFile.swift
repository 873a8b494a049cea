package import LibraryCore

/// A file in the media folder that was passed over.
package struct MisplacedFile: Sendable, Hashable {
    /// Why a file was passed over. The raw values are those of the API.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It belongs to the other section: for example an MP3 among the titles.
        case wrongFolder
        /// Antena does not read files with its extension.
        case unknownKind
        /// The name of the file or folder is not valid UTF-8.
        case nameNotUTF8
        /// The path is longer than `MediaFolder.maximumNameByteCount`.
        case nameTooLong
        /// The folder is deeper than `MediaFolder.maximumDepth`, and was not searched.
        case tooDeep
        /// It has the name of a media file, and is a pipe, a socket or a device.
        case notAFile
    }

    /// Path relative to the media folder; relative to the section's folder in a listing. What is not valid UTF-8 is
    /// U+FFFD.
    package var file: String
    /// Why it was passed over.
    package var reason: Reason
    /// The section to which the file belongs; `nil` for none.
    package var section: LibrarySection?

    /// Describes a file that was passed over.
    ///
    /// - Parameters:
    ///   - file: The path.
    ///   - reason: Why it was passed over.
    ///   - section: The section to which the file belongs; `nil` for none.
    package init(file: String, reason: Reason, section: LibrarySection? = nil) {
        self.file = file
        self.reason = reason
        self.section = section
    }
}
