package import Catalogue
package import MediaFolders
package import MediaIntake
package import NIOCore

/// How files come into the library: imports, uploads, and files that lie in its folders.
package protocol LibraryIntake: Sendable {
    /// Queues the import of a file from a URL.
    ///
    /// - Throws: `LibraryError`
    func importFile(from url: String) async throws -> JobRecord
    /// Queues the import of a file on this machine; `nil` if it needs no job, because ingesting it takes only a moment.
    ///
    /// - Throws: `LibraryError`
    func importFile(atPath path: String) async throws -> JobRecord?
    /// Whether a file on this machine is one of the media folder already, under whatever path.
    func isInMediaFolder(path: String) async throws -> Bool
    /// Media files that are not ingested because they lie in the section of another kind.
    func misplacedFiles() async -> [MisplacedFile]
    /// Starts a resumable upload.
    ///
    /// - Throws: `UploadError`, `LibraryError`
    func createUpload(name: String, byteCount: Int64, from sender: UploadSender) async throws -> Upload
    /// An upload and the number of bytes received so far; `nil` if it is unknown or has expired.
    func upload(id: String) async throws -> (upload: Upload, offset: Int64)?
    /// Cancels an upload and deletes its bytes.
    ///
    /// - Throws: `UploadError`
    func deleteUpload(id: String) async throws
    /// Ends the one of some uploads that has waited longest for bytes, if it has waited for ten minutes.
    ///
    /// - Parameter ids: the uploads; those that other servers receive go on.
    /// - Returns: the ID of the upload, or of one that has given its place to another before; `nil` if all go on.
    func endPausedUpload(among ids: Set<String>) async throws -> String?
    /// Ingests a file from the body of one request; an incomplete body leaves nothing behind.
    ///
    /// - Parameters:
    ///   - name: the client's name for the file.
    ///   - byteCount: the size of the file, or an upper bound if `isExact` is false.
    ///   - isExact: whether the size is known, rather than bounded.
    ///   - send: writes the file's bytes, in order.
    ///
    /// - Throws: `UploadError`, `LibraryError`, and any error of `send`.
    func receive(
        name: String, byteCount: Int64, isExact: Bool,
        _ send: (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> IngestedItem
    /// Appends bytes to a resumable upload.
    ///
    /// - Returns: the number of bytes received so far, and the title or track once the upload is complete.
    /// - Throws: `UploadError`, `LibraryError`
    func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, toUpload id: String, offset: Int64, checksum: UploadChecksum?
    ) async throws -> (offset: Int64, item: IngestedItem?) where Bytes.Element == ByteBuffer
}
