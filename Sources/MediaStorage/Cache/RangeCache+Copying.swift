import NIOPosix

extension RangeCache {
    func copyWhole(_ key: String, version: String, byteCount: Int64, to path: String) async throws {
        guard let object = try await store.head(key) else {
            throw MediaStorageError(.notFound, "there is no such object", operation: "copy", key: key)
        }
        guard object.byteCount == byteCount, object.version == version else {
            throw MediaStorageError(.changed, "the object has been replaced", operation: "copy", key: key)
        }
        let output = try await threads.blocking { try TemporaryFile(for: path) }
        do {
            try await store.download(object, to: output.file, threads: threads)
            try await threads.blocking { try output.complete() }
        } catch {
            _ = try? await threads.blocking { output.discard() }
            throw error
        }
    }
}
