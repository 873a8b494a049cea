/// A fragmented movie from which segments are read: while it grows, after it is finished, and even after its name is
/// deleted.
package final class ArchiveMovie: Sendable {
    let file: MediaFile
    private let onRelease: (@Sendable (MediaFile) -> Void)?

    /// Creates a movie for an open file.
    ///
    /// - Parameter onRelease: Called on any thread when no segment of the movie can be requested any more; the file
    ///   stays open for as long as the closure keeps it.
    init(file: MediaFile, onRelease: (@Sendable (MediaFile) -> Void)?) {
        self.file = file
        self.onRelease = onRelease
    }

    /// Opens a finished movie.
    package convenience init(
        path: String, onRelease: (@Sendable (MediaFile) -> Void)?
    ) throws(MediaFileError) {
        self.init(file: try MediaFile(path: path), onRelease: onRelease)
    }

    deinit { onRelease?(file) }
}
