/// The new place or name of a media file.
package struct MovedFile: Sendable, Equatable {
    /// File name relative to the media folder.
    package var name: String
    /// Path of the file.
    package var path: String
    /// New title of the record; `nil` to keep the title.
    package var title: String?

    package init(name: String, path: String, title: String? = nil) {
        self.name = name
        self.path = path
        self.title = title
    }
}
