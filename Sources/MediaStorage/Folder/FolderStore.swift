import Crypto
import Glibc
import MediaCore
package import NIOCore
package import NIOPosix

/// A ``MediaStore`` in a folder. A key is a path below it.
///
/// Files are complete before they get their names, so that a crash leaves at most a file whose name begins with
/// ``MediaKey/reservedNamePrefix``. Symbolic links to files are followed; linked folders are not listed.
package struct FolderStore: MediaStore {
    /// The folder's path.
    package let root: String
    private let threads: NIOThreadPool

    /// Reads and writes happen in pieces of this size.
    private static let pieceByteCount: Int64 = 256 << 10

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - root: The folder, which must exist.
    ///   - threads: Running threads, on which the store waits for the disk.
    package init(root: String, threads: NIOThreadPool) {
        self.root = root
        self.threads = threads
    }

    private func path(of key: String) throws -> String {
        try MediaKey.check(key)
        return "\(root)/\(key)"
    }

    private static func version(_ status: LocalFile.Status) -> String {
        [UInt64(bitPattern: status.byteCount), UInt64(bitPattern: status.modificationTime), status.inode]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Names operation and key in an error that only has a reason.
    private func named<Value: Sendable>(
        _ operation: String, _ key: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await threads.blocking(work)
        } catch var error as MediaStorageError {
            error.operation = error.operation ?? operation
            error.key = error.key ?? key
            if error.code == .notFound { error.reason = "there is no such file in \(root)" }
            throw error
        }
    }

    // MARK: MediaStore

    package func put(fileAt path: String, as key: String, contentType: String) async throws -> StoredObject {
        let destination = try self.path(of: key)
        try Task.checkCancellation()
        return try await named("put", key) {
            try Self.copyFile(path, to: destination, key: key, missing: .localFile)
        }
    }

    package func copy(_ key: String, to other: String) async throws {
        let (source, destination) = (try path(of: key), try path(of: other))
        _ = try await named("copy", key) {
            try Self.copyFile(source, to: destination, key: other, missing: .notFound)
        }
    }

    /// - Parameter missing: The code of the error if there is no source.
    private static func copyFile(
        _ source: String, to destination: String, key: String, missing: MediaStorageError.Code
    ) throws -> StoredObject {
        let input: LocalFile
        do {
            input = try LocalFile(source)
        } catch var error as MediaStorageError where error.code == .notFound {
            error.code = missing
            throw error
        }
        let status = try input.status()
        let output: TemporaryFile
        do {
            output = try TemporaryFile(for: destination)
        } catch var error as MediaStorageError {
            // Such as a file where a folder is needed.
            error.code = .localFile
            throw error
        }
        do {
            var hash = SHA256()
            var position: Int64 = 0
            while position < status.byteCount {
                let count = min(pieceByteCount, status.byteCount - position)
                let piece = try input.read(at: position, count: Int(count))
                guard Int64(piece.readableBytes) == count else { throw FileDigests.changed(input) }
                piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
                try output.file.write(piece, at: position)
                position += count
            }
            let written = try output.file.status()
            guard written.byteCount == status.byteCount, try input.status() == status else {
                throw FileDigests.changed(input)
            }
            try output.complete()
            return StoredObject(
                key: key, byteCount: written.byteCount, version: version(try output.file.status()),
                sha256: hash.finalize().hexadecimalDigits)
        } catch {
            output.discard()
            throw error
        }
    }

    package func read(
        _ key: String, range: Range<Int64>, version: String?, _ body: (ByteBuffer) async throws -> Void
    ) async throws {
        let path = try path(of: key)
        let file = try await named("read", key) {
            let file = try LocalFile(path)
            let status = try file.status()
            if let version, Self.version(status) != version {
                throw MediaStorageError(.changed, "the file has been replaced")
            }
            guard range.lowerBound >= 0, range.upperBound <= status.byteCount else {
                throw MediaStorageError(.invalidRequest, "the range lies outside the file")
            }
            return file
        }
        var position = range.lowerBound
        while position < range.upperBound {
            try Task.checkCancellation()
            let (offset, count) = (position, Int(min(Self.pieceByteCount, range.upperBound - position)))
            let piece = try await named("read", key) { try file.read(at: offset, count: count) }
            guard piece.readableBytes == count else {
                throw MediaStorageError(
                    .changed, "the file has become shorter while it was read", operation: "read", key: key)
            }
            try await body(piece)
            position += Int64(count)
        }
    }

    package func head(_ key: String) async throws -> StoredObject? {
        let path = try path(of: key)
        return try await named("look up", key) {
            guard let status = try LocalFile.status(of: path), status.isRegular else { return nil }
            return StoredObject(key: key, byteCount: status.byteCount, version: Self.version(status))
        }
    }

    package func list(prefix: String, after: String?, limit: Int) async throws -> [StoredObject] {
        precondition(limit > 0, "a list has at least one entry")
        let root = root
        return try await named("list", prefix) {
            var listing = FolderListing(root: root, prefix: prefix, after: after, limit: limit)
            return try listing.files().map { file in
                StoredObject(key: file.key, byteCount: file.status.byteCount, version: Self.version(file.status))
            }
        }
    }

    package func delete(_ key: String) async throws {
        let path = try path(of: key)
        try await named("delete", key) { try LocalFile.remove(path) }
    }
}
