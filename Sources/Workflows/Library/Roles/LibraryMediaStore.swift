package import VODLibrary

/// The media store of a server that has one.
package protocol LibraryMediaStore: Sendable {
    /// The state of the media store and of moves to or from it; `nil` if the server has no media store.
    func mediaStoreStatus() async -> MediaStoreStatus?
    /// Chooses where the library's files are to be; `nil` if the server has no media store.
    func moveMedia(to destination: MediaStoreStatus.Destination) async -> MediaStoreStatus?
    /// Compares some of the files in the media store with what was put; `nil` if the server has no media store.
    ///
    /// - Parameters:
    ///   - last: the `last` of the previous call; `nil` for the first call.
    ///   - limit: the maximum number of files.
    ///   - readsContent: whether to read all of each file.
    /// - Throws: the error of a store that does not answer.
    func verifyMedia(after last: String?, limit: Int, readsContent: Bool) async throws -> MediaVerification?
}
