package import Logging
import LogMetadata
import MediaCore
package import NIOCore
package import NIOPosix

/// Receives the bytes of uploads, and takes complete files into the library.
package struct UploadReceiver: Sendable {
    package let uploads: UploadStore
    private let threadPool: NIOThreadPool
    private let logger: Logger
    /// Takes a complete file into the library.
    private let takeIn: @Sendable (ReceivedFile, ReceivedName) async throws -> IngestedItem

    /// - Parameters:
    ///   - uploads: the unfinished uploads.
    ///   - threadPool: the threads that write to the disk.
    ///   - logger: receives the log.
    ///   - takeIn: takes a complete file into the library.
    package init(
        uploads: UploadStore, threadPool: NIOThreadPool, logger: Logger,
        takeIn: @escaping @Sendable (ReceivedFile, ReceivedName) async throws -> IngestedItem
    ) {
        self.uploads = uploads
        self.threadPool = threadPool
        self.logger = logger
        self.takeIn = takeIn
    }

    // MARK: Resumable uploads

    /// Creates an upload.
    ///
    /// - Parameters:
    ///   - name: the client's name for the file.
    ///   - byteCount: the size of the file that will be uploaded.
    ///   - sender: who sends it.
    /// - Throws: ``UploadError``, `LibraryError`
    package func create(name: String, byteCount: Int64, from sender: UploadSender) async throws -> Upload {
        try await threadPool.runIfActive { [uploads] in
            try uploads.create(name: name, byteCount: byteCount, from: sender)
        }
    }

    /// Finds an upload.
    ///
    /// - Returns: the upload and the number of bytes that the server has; `nil` if it does not exist or no longer
    ///   exists.
    package func status(id: String) async throws -> (upload: Upload, offset: Int64)? {
        try await threadPool.runIfActive { [uploads] in uploads.status(id: id) }
    }

    /// Deletes an upload and what it has received.
    ///
    /// - Throws: ``UploadError``
    package func delete(id: String) async throws {
        try await threadPool.runIfActive { [uploads] in try uploads.delete(id: id) }
    }

    /// Ends the one of some uploads that has waited longest for bytes, if it has waited for ten minutes.
    ///
    /// - Returns: the ID of the upload, or of one that has given its place to another before; `nil` if all go on.
    package func endPaused(among ids: Set<String>) async throws -> String? {
        try await threadPool.runIfActive { [uploads] in uploads.endPaused(among: ids) }
    }

    /// Appends what a client sends. A piece is requested when the previous one has been written. If `bytes` fails, what
    /// arrived before stays, so that the client can resume from there; with a checksum, nothing is kept.
    ///
    /// - Returns: the number of bytes that the server has, and the title or track if the upload is complete.
    /// - Throws: ``UploadError``, `LibraryError`, and any error that `bytes` throws.
    package func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, toUpload id: String, offset: Int64, checksum: UploadChecksum?
    ) async throws -> (offset: Int64, item: IngestedItem?) where Bytes.Element == ByteBuffer {
        let (pool, uploads) = (threadPool, uploads)
        let writer = try await pool.runIfActive { try uploads.begin(id: id, offset: offset, checksum: checksum) }
        do {
            for try await piece in bytes { try await pool.runIfActive { try writer.write(piece) } }
        } catch {
            _ = try? await end(writer, isComplete: false)
            throw error
        }
        let end = try await end(writer, isComplete: true)
        guard end == writer.upload.byteCount else { return (end, nil) }
        // Completed even if the client has disconnected: it has done its part.
        return (end, try await Task { try await finish(writer.upload) }.value)
    }

    /// Ends the writing in a task of its own, because the calling task may be cancelled with its connection.
    ///
    /// - Returns: the number of bytes received so far.
    private func end(_ writer: UploadWriter, isComplete: Bool) async throws -> Int64 {
        let (pool, uploads) = (threadPool, uploads)
        return try await Task { try await pool.runIfActive { try uploads.end(writer, isComplete: isComplete) } }.value
    }

    private func finish(_ upload: Upload) async throws -> IngestedItem {
        let item = try await takeIn(try uploads.file(of: upload), ReceivedName(upload.name))
        try await threadPool.runIfActive { [uploads] in
            try uploads.finished(id: upload.id, section: item.section, subject: item.id)
        }
        return item
    }

    /// Finishes the uploads whose last byte arrived just before a crash.
    package func resume() async throws {
        for id in uploads.unfinishedIDs {
            guard let (upload, offset) = try await status(id: id), offset == upload.byteCount else { continue }
            do {
                _ = try await finish(upload)
            } catch {
                logger.warning(
                    "interrupted upload cannot be finished",
                    metadata: [.uploadID: "\(id)", .error: "\(FileErrorText(error))"])
            }
        }
    }

    // MARK: Uploads in one request

    /// Takes a file into the library that arrives as the body of a single request, complete or not at all.
    ///
    /// - Parameters:
    ///   - name: the client's name for the file.
    ///   - byteCount: the maximum size in bytes; this much has to be free on the disk.
    ///   - isExact: whether the file is incomplete unless it has exactly this size.
    ///   - send: calls `write` with the pieces in order. Each call returns when the piece has been written.
    /// - Throws: ``UploadError``, `LibraryError`, and any error that `send` throws.
    package func receive(
        name: String, byteCount: Int64, isExact: Bool,
        _ send: (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> IngestedItem {
        let (pool, uploads) = (threadPool, uploads)
        let upload = try await pool.runIfActive {
            try uploads.create(name: name, byteCount: byteCount, from: .operators, isResumable: false)
        }
        let result: Result<IngestedItem, any Error>
        do {
            result = .success(try await receive(upload, isExact: isExact, send))
        } catch {
            result = .failure(error)
        }
        // In a task of its own, because this one may be cancelled with its connection.
        _ = try? await Task { try await pool.runIfActive { try uploads.delete(id: upload.id) } }.value
        return try result.get()
    }

    private func receive(
        _ upload: Upload, isExact: Bool, _ send: (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> IngestedItem {
        let (pool, uploads) = (threadPool, uploads)
        let writer = try await pool.runIfActive { try uploads.begin(id: upload.id, offset: 0, checksum: nil) }
        do {
            try await send { piece in try await pool.runIfActive { try writer.write(piece) } }
        } catch {
            _ = try? await end(writer, isComplete: false)
            throw error
        }
        let end = try await end(writer, isComplete: true)
        guard end > 0 else { throw UploadError(.incomplete, "an empty file cannot be played") }
        guard !isExact || end == upload.byteCount else {
            throw UploadError(.incomplete, "only \(end) of \(upload.byteCount) bytes arrived; send the file again")
        }
        let file = try uploads.file(of: upload)
        // Completed even if the client has disconnected: it has done its part.
        return try await Task { try await takeIn(file, ReceivedName(upload.name)) }.value
    }
}
