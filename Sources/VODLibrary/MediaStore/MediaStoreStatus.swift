/// The library's files in the media store, and those that are being moved.
package struct MediaStoreStatus: Sendable, Equatable {
    /// The place where the library's files are to be.
    package enum Destination: String, Sendable, Equatable, CaseIterable {
        /// The media store.
        case store
        /// The folders of this machine.
        case folder
    }

    /// The place that files are moved to.
    package var destination: Destination
    /// The number of files in the media store.
    package var storedCount: Int
    /// The size of those files in bytes.
    package var storedByteCount: Int64
    /// The number of files that wait to be moved; `nil` until they have been counted.
    package var waitingCount: Int?
    /// The number of files that were moved since the start or since ``destination`` was chosen.
    package var movedCount: Int
    /// The size of those files in bytes.
    package var movedByteCount: Int64
    /// The reason why the last file could not be moved; `nil` if it was.
    package var error: String?
}
