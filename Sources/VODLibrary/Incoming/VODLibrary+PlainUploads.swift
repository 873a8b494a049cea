package import Catalogue
package import NIOCore
import NIOPosix

/// Uploads that arrive as the body of a single request. They cannot be resumed, so an incomplete one is discarded.
extension VODLibrary {
    /// Takes a file into the library, complete or not at all.
    ///
    /// - Parameters:
    ///   - name: the client's name for the file.
    ///   - byteCount: the maximum size in bytes; this much has to be free on the disk.
    ///   - isExact: whether the file is incomplete unless it has exactly this size.
    ///   - send: calls `write` with the pieces in order. Each call returns when the piece has been written.
    /// - Throws: ``UploadError``, ``LibraryError``, and any error that `send` throws.
    package nonisolated func receive(
        name: String, byteCount: Int64, isExact: Bool,
        _ send: (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> IngestedItem {
        let (pool, uploads) = (threads.uploads, uploads)
        let upload = try await pool.runIfActive {
            try uploads.create(name: name, byteCount: byteCount, isResumable: false)
        }
        let result: Result<IngestedItem, any Error>
        do {
            result = .success(try await receive(upload, isExact: isExact, send))
        } catch {
            result = .failure(error)
        }
        // Runs in a task of its own, because this one may be cancelled with its connection.
        _ = try? await Task { try await pool.runIfActive { try uploads.delete(id: upload.id) } }.value
        return try result.get()
    }

    private nonisolated func receive(
        _ upload: Upload, isExact: Bool, _ send: (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> IngestedItem {
        let (pool, uploads) = (threads.uploads, uploads)
        let writer = try await pool.runIfActive { try uploads.begin(id: upload.id, offset: 0, checksum: nil) }
        do {
            try await send { piece in try await pool.runIfActive { try writer.write(piece) } }
        } catch {
            _ = try? await Task { try await pool.runIfActive { try uploads.end(writer, isComplete: false) } }.value
            throw error
        }
        let end = try await Task { try await pool.runIfActive { try uploads.end(writer, isComplete: true) } }.value
        guard end > 0 else { throw UploadError(.incomplete, "an empty file cannot be played") }
        guard !isExact || end == upload.byteCount else {
            throw UploadError(.incomplete, "only \(end) of \(upload.byteCount) bytes arrived; send the file again")
        }
        let file = try uploads.file(of: upload)
        // Completed even if the client has disconnected: it has done its part.
        return try await Task { try await adopt(file, as: IncomingName(upload.name)) }.value
    }

    /// The first job that is running or waiting for the item; `nil` if there is none.
    package func openJob(of item: IngestedItem) async -> JobRecord? {
        await ledger.openJobs(of: item.id, in: item.section).min { $0.number < $1.number }
    }
}
