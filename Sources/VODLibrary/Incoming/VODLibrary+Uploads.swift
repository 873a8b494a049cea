import Catalogue
import Logging
import MediaCore
package import NIOCore
import NIOPosix

extension VODLibrary {
    package static let maximumUploadByteCount = UploadStore.maximumByteCount

    /// - Parameter name: as the client calls the file.
    /// - Throws: ``UploadError``, ``LibraryError``
    package nonisolated func createUpload(name: String, byteCount: Int64) async throws -> Upload {
        try await threads.uploads.runIfActive { [uploads] in try uploads.create(name: name, byteCount: byteCount) }
    }

    /// - Returns: the upload and how many bytes the server has; `nil` where there is none (any longer).
    package nonisolated func upload(id: String) async throws -> (upload: Upload, offset: Int64)? {
        try await threads.uploads.runIfActive { [uploads] in uploads.status(id: id) }
    }

    package nonisolated func deleteUpload(id: String) async throws {
        try await threads.uploads.runIfActive { [uploads] in try uploads.delete(id: id) }
    }

    /// Appends what a client sends, piece by piece: the next is asked for when the one before is written.
    ///
    /// What has come before `bytes` fails stays, so that the client goes on there; with a checksum only all of it.
    ///
    /// - Returns: how many bytes the server has, and the title or track if those are all.
    /// - Throws: ``UploadError``, ``LibraryError``, and what `bytes` throws.
    package nonisolated func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, toUpload id: String, offset: Int64, checksum: UploadChecksum?
    ) async throws -> (offset: Int64, item: IngestedItem?) where Bytes.Element == ByteBuffer {
        let (pool, uploads) = (threads.uploads, uploads)
        let writer = try await pool.runIfActive { try uploads.begin(id: id, offset: offset, checksum: checksum) }
        do {
            for try await piece in bytes { try await pool.runIfActive { try writer.write(piece) } }
        } catch {
            // In a task of its own: this one may be cancelled with its connection.
            _ = try? await Task { try await pool.runIfActive { try uploads.end(writer, isComplete: false) } }.value
            throw error
        }
        let end = try await Task { try await pool.runIfActive { try uploads.end(writer, isComplete: true) } }.value
        guard end == writer.upload.byteCount else { return (end, nil) }
        // To its end, though the client may have gone: it has done its part.
        return (end, try await Task { try await finish(writer.upload) }.value)
    }

    private func finish(_ upload: Upload) async throws -> IngestedItem {
        let item = try await adopt(try uploads.file(of: upload), as: IncomingName(upload.name))
        try await threads.uploads.runIfActive { [uploads] in
            try uploads.finished(id: upload.id, section: item.section, subject: item.id)
        }
        return item
    }

    /// Uploads whose last byte came just before a kill.
    func finishUploads() async throws {
        for id in uploads.unfinishedIDs {
            guard let (upload, offset) = try await self.upload(id: id), offset == upload.byteCount else { continue }
            do {
                _ = try await finish(upload)
            } catch {
                logger.warning(
                    "an upload cannot be finished", metadata: ["upload": "\(id)", "error": "\(FileErrorText(error))"])
            }
        }
    }
}
