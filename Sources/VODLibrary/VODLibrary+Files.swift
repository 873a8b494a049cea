package import Catalogue
import LibraryCore
package import MediaFolders
package import MediaIntake
package import NIOCore
import NIOPosix

/// How files come into the library and go.
extension VODLibrary {
    package static let maximumUploadByteCount = UploadStore.maximumByteCount

    // MARK: Files of this machine

    /// Takes a local file into the library. A file from outside the media folder is copied into it first.
    ///
    /// - Returns: the record. It is ready if ingesting took only a moment, otherwise queued; the record of a known file
    ///   is returned unchanged.
    /// - Throws: `LibraryError` if the file is not accepted or cannot be copied.
    package func ingest(path: String) async throws -> IngestedItem {
        let (section, file) = try await importer.importFile(path: path)
        return try await intake.takeIn(file, to: section, jobs: fileJobs)
    }

    /// Takes a finished recording into the library at once, before the next scan finds it.
    ///
    /// - Parameters:
    ///   - name: the recording's name in the catalogue.
    ///   - title: the title that the file has; `nil` until it has been read.
    /// - Returns: `nil` if there is no such file.
    package func ingest(recording name: String, title: String? = nil) async throws -> TitleRecord? {
        let folder = context.folder(.titles)
        guard let file = try await context.threadPool.runIfActive({ folder.recording(named: name) }),
            case .title(var record) = try await intake.takeIn(file, to: .titles, jobs: fileJobs)
        else { return nil }
        if let title { record.title = title }
        return record
    }

    /// Files in the media folder that were passed over, each with the reason.
    package func misplacedFiles() async -> [MisplacedFile] { await scanner.misplacedFiles() }

    /// Deletes a title: its file in the media folder or among the recordings, the files derived from it, and its
    /// record.
    ///
    /// - Returns: false if there is no title with that ID.
    /// - Throws: `LibraryError` if the file cannot be deleted; the title then stays.
    package func deleteTitle(id: String) async throws -> Bool {
        guard let record = try await context.catalogue.title(id: id) else { return false }
        try await intake.delete(record, in: .titles, jobs: fileJobs)
        return true
    }

    /// Deletes a track in the same way as ``deleteTitle(id:)``.
    package func deleteTrack(id: String) async throws -> Bool {
        guard let record = try await context.catalogue.track(id: id) else { return false }
        try await intake.delete(record, in: .tracks, jobs: fileJobs)
        return true
    }

    // MARK: Imports

    /// Queues the import of a file from a URL.
    ///
    /// - Throws: `LibraryError` if the URL is not allowed, or if there are too many imports.
    package func importFile(from url: String) async throws -> JobRecord {
        try await imports.queue(url: url, in: runner)
    }

    /// Queues the import of a local file that takes long to copy.
    ///
    /// - Returns: `nil` if the file need not be copied, if copying it takes only a moment, or if it is not a readable
    ///   file.
    /// - Throws: `LibraryError` if there are too many imports.
    package func importFile(atPath path: String) async throws -> JobRecord? {
        try await imports.queue(path: path, in: runner)
    }

    /// Whether a file on this machine is one of the media folder already, under whatever path.
    package func isInMediaFolder(path: String) async throws -> Bool { try await imports.isInMediaFolder(path: path) }

    // MARK: Uploads

    /// Creates an upload.
    ///
    /// - Parameters:
    ///   - name: the client's name for the file.
    ///   - byteCount: the size of the file that will be uploaded.
    ///   - sender: who sends it.
    /// - Throws: `UploadError`, `LibraryError`
    package func createUpload(name: String, byteCount: Int64, from sender: UploadSender) async throws -> Upload {
        try await uploads.create(name: name, byteCount: byteCount, from: sender)
    }

    /// Finds an upload.
    ///
    /// - Returns: the upload and the number of bytes that the server has; `nil` if it does not exist or no longer
    ///   exists.
    package func upload(id: String) async throws -> (upload: Upload, offset: Int64)? {
        try await uploads.status(id: id)
    }

    /// Deletes an upload and what it has received.
    ///
    /// - Throws: `UploadError`
    package func deleteUpload(id: String) async throws { try await uploads.delete(id: id) }

    /// Ends the one of some uploads that has waited longest for bytes, if it has waited for ten minutes.
    ///
    /// - Returns: the ID of the upload, or of one that has given its place to another before; `nil` if all go on.
    package func endPausedUpload(among ids: Set<String>) async throws -> String? {
        try await uploads.endPaused(among: ids)
    }

    /// Appends what a client sends. A piece is requested when the previous one has been written.
    ///
    /// If `bytes` fails, what arrived before stays, so that the client can resume from there; with a checksum, nothing
    /// is kept.
    ///
    /// - Returns: the number of bytes that the server has, and the title or track if the upload is complete.
    /// - Throws: `UploadError`, `LibraryError`, and any error that `bytes` throws.
    package func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, toUpload id: String, offset: Int64, checksum: UploadChecksum?
    ) async throws -> (offset: Int64, item: IngestedItem?) where Bytes.Element == ByteBuffer {
        try await uploads.append(bytes, toUpload: id, offset: offset, checksum: checksum)
    }

    /// Takes a file into the library that arrives as the body of a single request, complete or not at all.
    ///
    /// - Parameters:
    ///   - name: the client's name for the file.
    ///   - byteCount: the maximum size in bytes; this much has to be free on the disk.
    ///   - isExact: whether the file is incomplete unless it has exactly this size.
    ///   - send: calls `write` with the pieces in order. Each call returns when the piece has been written.
    /// - Throws: `UploadError`, `LibraryError`, and any error that `send` throws.
    package func receive(
        name: String, byteCount: Int64, isExact: Bool,
        _ send: (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> IngestedItem {
        try await uploads.receive(name: name, byteCount: byteCount, isExact: isExact, send)
    }
}
