package import Catalogue
package import NIOCore
import NIOPosix

/// Files that come as one request's body: what has come of one that breaks off is of no use to anybody.
extension VODLibrary {
    /// Takes a file in, whole or not at all.
    ///
    /// - Parameters:
    ///   - name: as the client calls the file.
    ///   - byteCount: what it has at most, which has to be free on the disk.
    ///   - isExact: it has that many, or is not whole.
    ///   - send: calls `write` with one piece after the other; the next is asked for when the one before is written.
    /// - Throws: ``UploadError``, ``LibraryError``, and what `send` throws.
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
        // In a task of its own: this one may be cancelled with its connection.
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
            throw UploadError(.incomplete, "\(end) of \(upload.byteCount) bytes have come; send it again")
        }
        let file = try uploads.file(of: upload)
        // To its end, though the client may have gone: it has done its part.
        return try await Task { try await adopt(file, as: IncomingName(upload.name)) }.value
    }

    /// What is being done for it, or waits to be.
    package func openJob(of item: IngestedItem) async -> JobRecord? {
        await ledger.openJobs(of: item.id, in: item.section).min { $0.number < $1.number }
    }
}
