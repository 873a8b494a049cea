package import LibraryDetails

/// The new place or name of a media file.
package struct MovedFile: Sendable, Equatable {
    /// File name relative to the media folder.
    package var name: String
    /// Path of the file.
    package var path: String
    /// The file's new details; `nil` to keep what is known.
    package var details: ItemDetails?

    package init(name: String, path: String, details: ItemDetails? = nil) {
        self.name = name
        self.path = path
        self.details = details
    }
}
