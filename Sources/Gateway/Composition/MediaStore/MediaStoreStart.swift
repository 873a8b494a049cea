import APIContract
import Database
import Foundation
import LibraryStorage
import Logging
import MediaStorage
import NIOPosix
import ServerSettings

/// Opens the media store of a server that starts, if it has one.
struct MediaStoreStart {
    let configuration: ServerConfiguration
    let database: any SQLDatabase
    /// Reads and writes files that go to the media store or come from it; `nil` for a server without one.
    let threads: NIOThreadPool?
    let logger: Logger

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - dataDirectory: the data folder, which holds the cache.
    ///   - recordingsDirectory: the folder of recordings.
    /// - Returns: `nil` if the server has no media store.
    /// - Throws: `ServerStartError` if files of the library are in a store that is not configured, or in another one.
    func open(dataDirectory: String, recordingsDirectory: String) async throws -> MediaStoreService? {
        guard let address = configuration.mediaStore else {
            if let other = try await StoredFiles.address(in: database, program: Product.version) {
                throw ServerStartError(
                    """
                    files of the library are in the media store \(other): start the server with --media-store and its \
                    address; `antena media move --to folder` brings the files back
                    """)
            }
            return nil
        }
        guard let threads else { preconditionFailure("a server with a media store has threads for it") }
        let store: any MediaStore =
            switch address {
            case .folder(let path): FolderStore(root: path, threads: threads)
            case .objectStore(let address):
                ObjectStore(
                    address: address,
                    credentials: CredentialSource(
                        environment: ProcessInfo.processInfo.environment, threads: threads),
                    threads: threads, logger: logger)
            }
        let cache = RangeCache(
            directory: "\(dataDirectory)/media-cache", maximumByteCount: configuration.mediaCacheByteCount,
            store: store, threads: threads, logger: logger)
        do {
            let files = try await StoredFiles.open(
                database, address: address.description, store: store, cache: cache,
                places: LibraryPlaces(
                    mediaDirectory: configuration.mediaDirectory, recordingsDirectory: recordingsDirectory,
                    dataDirectory: dataDirectory),
                threads: threads, program: Product.version, logger: logger)
            return MediaStoreService(files: files, store: store, cache: cache)
        } catch let error as StoredFilesError {
            throw ServerStartError(error.description)
        }
    }
}
