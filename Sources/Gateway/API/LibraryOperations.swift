package import Catalogue
package import MediaCore
package import NIOCore
package import Packaging
package import VODLibrary

/// What operators do with the library. The server's own is `VODLibrary`.
package protocol LibraryOperations: Sendable {
    /// Media files that no section takes where they lie.
    func misplacedFiles() async -> [MisplacedFile]
    /// Opens a file that the library made, such as a poster; `nil` for any other.
    func servedFile(at path: String) async throws -> MediaFile?
    func job(number: Int64) async throws -> JobRecord?
    /// Newest first.
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord>
    /// What is going on and what waits, at most some hundred.
    func openJobs() async -> [JobRecord]
    /// - Parameter client: whose limit the listener counts towards.
    func listenToJobs(by client: AddressGroup, after event: JobEvent.ID?) async throws -> JobEventHub.Listener
    /// - Returns: `nil` where there is none of that number.
    /// - Throws: `LibraryError`
    func cancelJob(number: Int64) async throws -> JobRecord?
    func retryJob(number: Int64) async throws -> JobRecord?
    func prioritizeJob(number: Int64, _ priority: Int) async throws -> JobRecord?
    /// Queues a file that lies behind an address.
    func importFile(from url: String) async throws -> JobRecord
    /// The same with a file of this machine; `nil` where bringing it in takes no longer than a moment.
    func importFile(atPath path: String) async throws -> JobRecord?

    /// Deletes a title's file, what was made of it, and its record; false where there is none with that id.
    func deleteTitle(id: String) async throws -> Bool
    func deleteTrack(id: String) async throws -> Bool

    /// Chooses a title's poster: the picture at a time, or by itself where that is `nil`.
    ///
    /// - Returns: `nil` where there is no title with that id.
    /// - Throws: `LibraryError`
    func setPoster(ofTitle id: String, at seconds: Double?) async throws -> TitleRecord?
    /// The same with a picture that comes along.
    func setPoster(ofTitle id: String, to picture: ByteBuffer) async throws -> TitleRecord?

    /// Has other qualities of a title made; `nil` where there is no such title.
    ///
    /// - Throws: `LibraryError`, `WorkerFailure`
    func makeLadder(ofTitle id: String, presets: [LadderPreset]) async throws -> LadderStatus?
    /// `nil` where there is no such title.
    func ladderStatus(ofTitle id: String) async throws -> LadderStatus?
    /// Ends what is being made, or deletes what was made; `nil` where there is no such title.
    func dropLadder(ofTitle id: String) async throws -> LadderStatus?

    /// - Throws: `UploadError`, `LibraryError`
    func createUpload(name: String, byteCount: Int64) async throws -> Upload
    func upload(id: String) async throws -> (upload: Upload, offset: Int64)?
    func deleteUpload(id: String) async throws
    /// Takes in what comes as one request's body, whole or not at all.
    ///
    /// - Throws: `UploadError`, `LibraryError`, and what `send` throws.
    func receive(
        name: String, byteCount: Int64, isExact: Bool,
        _ send: (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> IngestedItem
    /// What is being done for it, or waits to be.
    func openJob(of item: IngestedItem) async -> JobRecord?
    func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, toUpload id: String, offset: Int64, checksum: UploadChecksum?
    ) async throws -> (offset: Int64, item: IngestedItem?) where Bytes.Element == ByteBuffer
}

extension LibraryOperations {
    package func makeLadder(ofTitle id: String, presets: [LadderPreset]) async throws -> LadderStatus? { nil }
    package func ladderStatus(ofTitle id: String) async throws -> LadderStatus? { nil }
    package func dropLadder(ofTitle id: String) async throws -> LadderStatus? { nil }
}

extension VODLibrary: LibraryOperations {}
