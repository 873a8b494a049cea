import LibraryStorage
import MediaStorage
import ServiceLifecycle

/// The media store of a running server, with the ranges of its files that are on this machine.
struct MediaStoreService: Service {
    let files: StoredFiles
    let store: any MediaStore
    let cache: RangeCache

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await cache.run()
        } onGracefulShutdown: {
            cache.shutDown()
        }
        await store.shutDown()
    }
}
