/// Files of the library cannot be taken to the media store, or back.
package struct StoredFilesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// Files are in another store than the configured one.
        case otherStore
        /// The content is not what was put.
        case corrupted
        /// The file changed while it was put.
        case changed
        /// The path lies outside the folders of the library, or there is no such file.
        case noSuchFile
        /// A local file cannot be read or written.
        case localFile
        /// There is no room on the disk for a file that comes back.
        case diskFull
    }

    package var code: Code
    /// A sentence without a full stop that a person can act on.
    package var description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func otherStore(of address: String, configured: String) -> StoredFilesError {
        StoredFilesError(
            .otherStore,
            """
            files of the library are in the media store \(address), but the server was started with \(configured); \
            start it with the former address, and bring the files back with `antena media move --to folder` first
            """)
    }
}
