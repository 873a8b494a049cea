import Crypto
import MediaCore
package import NIOCore
package import NIOPosix

/// Objects that are read from the first byte to the last.
extension MediaStore {
    /// Reads all of an object and checks that it is what was put.
    ///
    /// - Parameters:
    ///   - object: The object, with the size and the version that are expected. Its SHA-256 is compared if it is known.
    ///   - body: Gets the bytes in order, in pieces, each with the offset of its first byte. The check comes after the
    ///     last piece.
    /// - Throws: ``MediaStorageError`` with `corrupted` if the size or the SHA-256 differs, the errors of reading, and
    ///   what `body` throws.
    package func readWhole(
        _ object: StoredObject, _ body: (_ piece: ByteBuffer, _ offset: Int64) async throws -> Void
    ) async throws {
        var hash = SHA256()
        var position: Int64 = 0
        try await read(object.key, range: 0..<object.byteCount, version: object.version) { piece in
            piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
            try await body(piece, position)
            position += Int64(piece.readableBytes)
        }
        let sha256 = hash.finalize().hexadecimalDigits
        guard position == object.byteCount, object.sha256 == nil || object.sha256 == sha256 else {
            throw MediaStorageError(
                .corrupted, "the store sent other bytes than were put", operation: "read", key: object.key)
        }
    }

    /// Writes all of an object to a file, checks that it is what was put, and makes the file durable.
    ///
    /// - Parameters:
    ///   - object: The object; see ``readWhole(_:_:)``.
    ///   - file: A new file. If the call throws, it holds a part of the object or other bytes.
    ///   - threads: Running threads, on which the call waits for the disk.
    /// - Throws: As ``readWhole(_:_:)``; ``MediaStorageError`` with `localFile` if the file cannot be written.
    package func download(_ object: StoredObject, to file: LocalFile, threads: NIOThreadPool) async throws {
        try await readWhole(object) { piece, offset in
            try await threads.blocking { try file.write(piece, at: offset) }
        }
        try await threads.blocking { try file.synchronize() }
    }
}
