import LibraryStorage
package import MediaStorage

/// Operators' questions about the media store.
extension VODLibrary {
    /// The state of the media store and of moves to or from it; `nil` if the server has no media store.
    package func mediaStoreStatus() async -> MediaStoreStatus? { await mover?.status }

    /// The statistics of the media store's cache; `nil` if the server has no media store.
    package var mediaCacheStatistics: RangeCacheStatistics? { context.files.stored?.cacheStatistics }

    /// Chooses where the library's files are to be, until the next start; they are moved in the background.
    ///
    /// - Returns: the status; `nil` if the server has no media store.
    package func moveMedia(to destination: MediaStoreStatus.Destination) async -> MediaStoreStatus? {
        await mover?.choose(destination)
        return await mover?.status
    }

    /// Compares some of the files in the media store with what was put.
    ///
    /// - Parameters:
    ///   - last: the `last` of the previous call; `nil` for the first call.
    ///   - limit: the maximum number of files.
    ///   - readsContent: whether to read all of each file and compare its checksum; otherwise only its size and version
    ///     are compared.
    /// - Returns: `nil` if the server has no media store.
    /// - Throws: the error of a store that does not answer.
    package func verifyMedia(
        after last: String?, limit: Int, readsContent: Bool
    ) async throws -> MediaVerification? {
        guard let stored = context.files.stored else { return nil }
        let paths = stored.paths.sorted().drop { path in last.map { path <= $0 } ?? false }
        var result = MediaVerification()
        for path in paths.prefix(limit) {
            do {
                if let byteCount = try await stored.verify(path, readsContent: readsContent) {
                    result.fileCount += 1
                    result.byteCount += byteCount
                }
            } catch let error as StoredFilesError {
                result.problems.append(error.description)
            }
            result.last = path
        }
        result.isComplete = paths.count <= limit
        return result
    }
}
