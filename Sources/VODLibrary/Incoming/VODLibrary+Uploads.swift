import Catalogue
import Logging
import MediaCore
package import NIOCore
import NIOPosix

extension VODLibrary {
    package static let maximumUploadByteCount = UploadStore.maximumByteCount

    /// Creates an upload.
    ///
    /// - Parameter name: the client's name for the file.
    /// - Throws: ``UploadError``, ``LibraryError``
    package nonisolated func createUpload(name: String, byteCount: Int64) async throws -> Upload {
        try await threads.uploads.runIfActive { [uploads] in try uploads.create(name: name, byteCount: byteCount) }
    }

    /// Finds an upload.
    ///
    /// - Returns: the upload and the number of bytes that the server has; `nil` if it does not exist or no longer
    ///   exists.
    package nonisolated func upload(id: String) async throws -> (upload: Upload, offset: Int64)? {
        try await threads.uploads.runIfActive { [uploads] in uploads.status(id: id) }
    }

    /// Deletes an upload and what it has received.
    ///
    /// - Throws: ``UploadError``
    package nonisolated func deleteUpload(id: String) async throws {
        try await threads.uploads.runIfActive { [uploads] in try uploads.delete(id: id) }
    }

    /// Appends what a client sends. A piece is requested when the previous one has been written.
    ///
    /// If `bytes` fails, what arrived before stays, so that the client can resume from there; with a checksum, nothing
    /// is kept.
    ///
    /// - Returns: the number of bytes that the server has, and the title or track if the upload is complete.
    /// - Throws: ``UploadError``, ``LibraryError``, and any error that `bytes` throws.
    package nonisolated func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, toUpload id: String, offset: Int64, checksum: UploadChecksum?
    ) async throws -> (offset: Int64, item: IngestedItem?) where Bytes.Element == ByteBuffer {
        let (pool, uploads) = (threads.uploads, uploads)
        let writer = try await pool.runIfActive { try uploads.begin(id: id, offset: offset, checksum: checksum) }
        do {
            for try await piece in bytes { try await pool.runIfActive { try writer.write(piece) } }
        } catch {
            // Runs in a task of its own, because this one may be cancelled with its connection.
            _ = try? await Task { try await pool.runIfActive { try uploads.end(writer, isComplete: false) } }.value
            throw error
        }
        let end = try await Task { try await pool.runIfActive { try uploads.end(writer, isComplete: true) } }.value
        guard end == writer.upload.byteCount else { return (end, nil) }
        // Completed even if the client has disconnected: it has done its part.
        return (end, try await Task { try await finish(writer.upload) }.value)
    }

    private func finish(_ upload: Upload) async throws -> IngestedItem {
        let item = try await adopt(try uploads.file(of: upload), as: IncomingName(upload.name))
        try await threads.uploads.runIfActive { [uploads] in
            try uploads.finished(id: upload.id, section: item.section, subject: item.id)
        }
        return item
    }

    /// Finishes the uploads whose last byte arrived just before a crash.
    func finishUploads() async throws {
        for id in uploads.unfinishedIDs {
            guard let (upload, offset) = try await self.upload(id: id), offset == upload.byteCount else { continue }
            do {
                _ = try await finish(upload)
            } catch {
                logger.warning(
                    "upload cannot be finished", metadata: ["upload": "\(id)", "error": "\(FileErrorText(error))"])
            }
        }
    }
}
