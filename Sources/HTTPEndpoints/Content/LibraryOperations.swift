package import Catalogue
package import JobRunning
package import LibraryCore
package import LibraryDetails
package import MediaCore
package import MediaFolders
package import MediaIntake
package import NIOCore
package import Packaging
package import VODLibrary

/// The operations of operators on the library. The server uses `VODLibrary`.
package protocol LibraryOperations: Sendable {
    /// Media files that are not ingested because they lie in the section of another kind.
    func misplacedFiles() async -> [MisplacedFile]
    /// Opens a file that the library made, such as a poster; `nil` for any other.
    func servedFile(at path: String) async throws -> MediaFile?
    /// The file of a title as it came; `nil` if there is no such title, or if its file has been removed.
    func sourceFile(ofTitle id: String) async throws -> MediaFile?
    /// What lies in the media store, and what is being moved; `nil` if the server has no media store.
    func mediaStoreStatus() async -> MediaStoreStatus?
    /// Chooses where the library's files are to be; `nil` if the server has no media store.
    func moveMedia(to destination: MediaStoreStatus.Destination) async -> MediaStoreStatus?
    /// Compares some of the files in the media store with what was put; `nil` if the server has no media store.
    ///
    /// - Parameters:
    ///   - last: the `last` of the previous call; `nil` for the first call.
    ///   - limit: the maximum number of files.
    ///   - readsContent: whether to read all of each file.
    /// - Throws: the error of a store that does not answer.
    func verifyMedia(after last: String?, limit: Int, readsContent: Bool) async throws -> MediaVerification?
    /// The job with a number; `nil` if there is none.
    func job(number: Int64) async throws -> JobRecord?
    /// One page of jobs, newest first.
    ///
    /// - Parameters:
    ///   - query: words to search for; `nil` matches all jobs.
    ///   - cursor: the `next` of the previous page; `nil` for the first page.
    ///   - limit: maximum number of items.
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord>
    /// The running and queued jobs, at most a few hundred.
    func openJobs() async -> [JobRecord]
    /// Registers a listener for changes of jobs.
    ///
    /// - Parameters:
    ///   - client: the address whose limit the listener counts towards.
    ///   - event: the last event that the listener has seen; `nil` for a new listener.
    /// - Throws: `LibraryError` if there are too many listeners.
    func listenToJobs(by client: AddressGroup, after event: JobEvent.ID?) async throws -> JobEventHub.Listener
    /// Cancels a job.
    ///
    /// - Returns: the job; `nil` if there is none with that number.
    /// - Throws: `LibraryError`
    func cancelJob(number: Int64) async throws -> JobRecord?
    /// Queues a failed or cancelled job again; the result and the error are those of ``cancelJob(number:)``.
    func retryJob(number: Int64) async throws -> JobRecord?
    /// Changes the priority of a job; higher goes first. The result and the error are those of ``cancelJob(number:)``.
    func prioritizeJob(number: Int64, _ priority: Int) async throws -> JobRecord?
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

    /// Deletes a title's file, the files derived from it, and its record; false if there is no title with that id.
    func deleteTitle(id: String) async throws -> Bool
    /// Deletes a track in the same way; false if there is no track with that id.
    func deleteTrack(id: String) async throws -> Bool

    /// The details of a title or track by their sources; `nil` if there is none with that id.
    func details(of id: String, in section: LibrarySection) async throws -> DetailLayers?
    /// Changes what an operator has chosen for a title or track; `nil` if there is none with that id.
    ///
    /// - Parameters:
    ///   - id: the ID of the title or track.
    ///   - section: the section that it is in.
    ///   - version: the `DetailLayers.version` that it must have; `nil` for any.
    ///   - change: changes what was chosen.
    /// - Returns: the details after the change.
    /// - Throws: `CatalogueError` if it has another version.
    func chooseDetails(
        of id: String, in section: LibrarySection, version: String?,
        _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> DetailLayers?

    /// Makes the frame at a time (in seconds) the title's poster, or lets the library choose one if `seconds` is `nil`.
    ///
    /// - Parameters:
    ///   - id: the ID of the title.
    ///   - seconds: the time of the frame.
    ///   - sender: who asks.
    ///   - condition: whether the title is still the one that the change is meant for; evaluated in the transaction of
    ///     the change.
    /// - Returns: the title; `nil` if there is no title with that id.
    /// - Throws: `LibraryError`; `CatalogueError` if the title has been changed.
    func setPoster(
        ofTitle id: String, at seconds: Double?, from sender: UploadSender,
        if condition: @escaping RecordCondition<TitleRecord>
    ) async throws -> TitleRecord?
    /// Makes an uploaded image the title's poster; the result and the errors are those of
    /// ``setPoster(ofTitle:at:from:if:)``.
    func setPoster(
        ofTitle id: String, to image: ByteBuffer, from sender: UploadSender,
        if condition: @escaping RecordCondition<TitleRecord>
    ) async throws -> TitleRecord?
    /// Makes an uploaded image the track's cover; `nil` shows again the image beside the file, or the one in it.
    ///
    /// - Parameters:
    ///   - id: the ID of the track.
    ///   - image: a JPEG or PNG file.
    ///   - condition: as for ``setPoster(ofTitle:at:from:if:)``.
    /// - Returns: the track; `nil` if there is no track with that id.
    /// - Throws: `LibraryError`; `CatalogueError` if the track has been changed.
    func setCover(
        ofTrack id: String, to image: ByteBuffer?, if condition: @escaping RecordCondition<AudioTrackRecord>
    ) async throws -> AudioTrackRecord?
    /// Cuts the square out of the middle of an image that somebody has sent, as JPEG without metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file.
    ///   - side: the width and height of the result in pixels, even.
    ///   - sender: who has sent it.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made at once.
    func squareImage(of image: ByteBuffer, side: Int, from sender: UploadSender) async throws -> [UInt8]
    /// Encodes an image that somebody has sent again, as JPEG without metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file.
    ///   - width: the largest width of the result in pixels.
    ///   - sender: who has sent it.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made at once.
    func sentImage(of image: ByteBuffer, width: Int, from sender: UploadSender) async throws -> [UInt8]

    /// The image of a channel, as JPEG.
    ///
    /// - Parameter file: the file that `channels.json` names.
    /// - Returns: `nil` if there is no such file, or if it is not an image.
    func channelCover(ofFile file: String) async throws -> [UInt8]?
    /// Stores an image that an operator has sent for a channel.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file.
    ///   - channel: the channel's name.
    /// - Returns: the path of the file, for `channels.json`.
    /// - Throws: `LibraryError` if the file is not an image, if too many are made at once, or if it cannot be stored.
    func storeCover(_ image: ByteBuffer, ofChannel channel: String) async throws -> String
    /// Deletes an image that was stored for the channel; any other file stays.
    ///
    /// - Parameters:
    ///   - path: what `channels.json` has named.
    ///   - channel: the channel's name.
    func deleteStoredCover(_ path: String, ofChannel channel: String) async
    /// A banner of the community's pages, as JPEG; see ``channelCover(ofFile:)``.
    func banner(ofFile file: String) async throws -> [UInt8]?

    /// Queues the encoding of a title's ladder; `nil` if there is no such title.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - presets: the presets to choose from.
    ///   - bandwidthLimit: the BANDWIDTH below which the lowest rendition has to stay with its audio, in bits per
    ///     second; `nil` for no limit.
    /// - Throws: `LibraryError`, `WorkerFailure`
    func makeLadder(
        ofTitle id: String, presets: [QualityPreset], bandwidthLimit: Int?
    ) async throws -> LadderStatus?
    /// The state of a title's ladder; `nil` if there is no such title.
    func ladderStatus(ofTitle id: String) async throws -> LadderStatus?
    /// Cancels the encoding of a title's ladder, or deletes the ladder if it is complete; `nil` if there is no such
    /// title.
    func dropLadder(ofTitle id: String) async throws -> LadderStatus?

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
    /// The running or queued job of a title or track; `nil` if there is none.
    func openJob(of item: IngestedItem) async -> JobRecord?
    /// Appends bytes to a resumable upload.
    ///
    /// - Returns: the number of bytes received so far, and the title or track once the upload is complete.
    /// - Throws: `UploadError`, `LibraryError`
    func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, toUpload id: String, offset: Int64, checksum: UploadChecksum?
    ) async throws -> (offset: Int64, item: IngestedItem?) where Bytes.Element == ByteBuffer
}

extension LibraryOperations {
    /// Queues the encoding of a title's ladder without a limit; `nil` if there is no such title.
    ///
    /// - Throws: `LibraryError`, `WorkerFailure`
    package func makeLadder(ofTitle id: String, presets: [QualityPreset]) async throws -> LadderStatus? {
        try await makeLadder(ofTitle: id, presets: presets, bandwidthLimit: nil)
    }
}

extension VODLibrary: LibraryOperations {}
