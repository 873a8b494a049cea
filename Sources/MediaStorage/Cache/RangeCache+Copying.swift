import Crypto
import MediaCore
import NIOCore
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
            var hash = SHA256()
            var position: Int64 = 0
            try await store.read(key, range: 0..<byteCount, version: version) { piece in
                piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
                let offset = position
                try await threads.blocking { try output.file.write(piece, at: offset) }
                position += Int64(piece.readableBytes)
            }
            guard position == byteCount,
                object.sha256 == nil || object.sha256 == hash.finalize().hexadecimalDigits
            else {
                throw MediaStorageError(
                    .corrupted, "the store sent other bytes than were put", operation: "copy", key: key)
            }
            try await threads.blocking { try output.complete() }
        } catch {
            _ = try? await threads.blocking { output.discard() }
            throw error
        }
    }
}
