package import Catalogue
package import JobRunning
import LibraryCore
package import MediaCore
package import MediaIntake
import MediaWorker
package import NIOCore

/// Operators' questions about jobs, posters and ladders.
extension VODLibrary {
    /// Priorities that operators may give to a job; jobs that nobody requested have 0.
    package static let priorities = JobRunner.priorities
    /// Limit on the size of an uploaded image in bytes: a photograph of 24 megapixels.
    package static let maximumPosterByteCount = SentImage.maximumByteCount

    // MARK: Images of people

    /// Cuts the square out of the middle of an image that somebody has sent, as JPEG without metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file of at most ``maximumPosterByteCount`` bytes.
    ///   - side: the width and height of the result in pixels, even.
    ///   - sender: who has sent it.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made at once.
    package func squareImage(of image: ByteBuffer, side: Int, from sender: UploadSender) async throws -> [UInt8] {
        try await sentImages.make(of: image, from: sender) { .square(output: $0, side: side) }
    }

    /// Encodes an image that somebody has sent again, as JPEG without metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file of at most ``maximumPosterByteCount`` bytes.
    ///   - width: the largest width of the result in pixels.
    ///   - sender: who has sent it.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made at once.
    package func sentImage(of image: ByteBuffer, width: Int, from sender: UploadSender) async throws -> [UInt8] {
        try await sentImages.make(of: image, from: sender) { .upload(output: $0, width: width) }
    }

    // MARK: Images of channels

    /// The image of a channel, made of a file that `channels.json` names.
    ///
    /// - Parameter file: a path below the media folder, or an absolute path.
    /// - Returns: a JPEG file; `nil` if there is no such file, or if it is not an image.
    package func channelCover(ofFile file: String) async throws -> [UInt8]? {
        try await namedImages.image(ofFile: file, width: NamedImageMaker.coverWidth)
    }

    /// Stores an image that an operator has sent for a channel, below the media folder, as JPEG without metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file of at most ``maximumPosterByteCount`` bytes.
    ///   - channel: the channel's name.
    /// - Returns: the path of the file below the media folder, for `channels.json`.
    /// - Throws: `LibraryError` if the file is not an image, if too many are made at once, or if it cannot be stored.
    package func storeCover(_ image: ByteBuffer, ofChannel channel: String) async throws -> String {
        let cover = try await sentImage(of: image, width: NamedImageMaker.coverWidth, from: .operators)
        return try await channelCovers.store(cover, ofChannel: channel)
    }

    /// Deletes an image that ``storeCover(_:ofChannel:)`` has stored for the channel; any other file stays.
    ///
    /// - Parameters:
    ///   - path: what `channels.json` has named.
    ///   - channel: the channel's name.
    package func deleteStoredCover(_ path: String, ofChannel channel: String) async {
        await channelCovers.delete(path, ofChannel: channel)
    }

    /// A banner of the community's pages, made of a file that `channels.json` names.
    ///
    /// - Parameter file: a path below the media folder, or an absolute path.
    /// - Returns: a JPEG file; `nil` if there is no such file, or if it is not an image.
    package func banner(ofFile file: String) async throws -> [UInt8]? {
        try await namedImages.image(ofFile: file, width: NamedImageMaker.bannerWidth)
    }

    // MARK: Jobs

    /// The running jobs and the waiting ones.
    package func jobs() async -> [JobStatus] { await runner.statuses() }

    /// A job's record; `nil` if there is none with that number.
    package func job(number: Int64) async throws -> JobRecord? { try await runner.job(number: number) }

    /// A page of the job list, newest first.
    package func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<JobRecord> {
        try await runner.page(matching: query, after: cursor, limit: limit)
    }

    /// The running and waiting jobs, for an overview.
    package func openJobs() async -> [JobRecord] { await runner.snapshot() }

    /// The first job that is running or waiting for the item; `nil` if there is none.
    package func openJob(of item: IngestedItem) async -> JobRecord? {
        await runner.openRecords(of: item.id, in: item.section).min { $0.number < $1.number }
    }

    /// Adds a listener for job events.
    ///
    /// - Parameters:
    ///   - client: the client whose limit the listener counts towards.
    ///   - event: the last event that the listener has seen; `nil` for none.
    /// - Throws: `LibraryError` if there are too many listeners.
    package func listenToJobs(
        by client: AddressGroup = AddressGroup(nil), after event: JobEvent.ID?
    ) async throws -> JobEventHub.Listener {
        try await runner.listen(by: client, after: event)
    }

    package var jobListenerCount: Int { runner.listenerCount }

    /// Cancels a job: a waiting one is removed from the queue; a running one's worker is killed and its files are
    /// deleted.
    ///
    /// - Returns: the job's record after that; `nil` if there is no job with that number.
    /// - Throws: `LibraryError` if the job has ended already.
    package func cancelJob(number: Int64) async throws -> JobRecord? { try await runner.cancel(number: number) }

    /// Retries a job that failed or was cancelled.
    ///
    /// - Returns: the job's record; `nil` if there is no job with that number.
    /// - Throws: `LibraryError` if there is nothing to do.
    package func retryJob(number: Int64) async throws -> JobRecord? { try await runner.retry(number: number) }

    /// Changes the priority of a job.
    ///
    /// - Parameters:
    ///   - number: the job's number.
    ///   - priority: the new priority, which is clamped to ``priorities``.
    /// - Returns: the job's record; `nil` if there is no job with that number.
    /// - Throws: `LibraryError` if the job has ended already.
    package func prioritizeJob(number: Int64, _ priority: Int) async throws -> JobRecord? {
        try await runner.prioritize(number: number, priority)
    }

    /// Makes the posters of titles that were ready at once, and returns when there are no jobs left for these titles.
    package func finish(titles ids: Set<String>) async throws {
        try await fileJobs.queueAwaited()
        try await runner.waitUntilFree(ids, in: .titles)
    }

    // MARK: Posters

    /// Chooses the frame at a given time as a title's poster; for a title that is not ready yet, once it is.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - seconds: the time of the frame; `nil` for the automatic choice.
    ///   - sender: who asks.
    ///   - condition: whether the title is still the one that the change is meant for; evaluated in the transaction of
    ///     the change.
    /// - Returns: the title with its new poster; `nil` if there is no title with that ID.
    /// - Throws: `LibraryError` if there is no such time, or no frame at it, and `Refusal` if the title has been
    ///   changed; the poster stays as it was.
    package func setPoster(
        ofTitle id: String, at seconds: Double?, from sender: UploadSender = .operators,
        if condition: @escaping RecordCondition<TitleRecord> = { _ in true }
    ) async throws -> TitleRecord? {
        try await posters.setPoster(ofTitle: id, at: seconds, from: sender, if: condition, in: runner)
    }

    /// Uses an image that an operator sends as a title's poster; it stays when the file is replaced.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - image: a JPEG or PNG file; only a worker decodes it.
    ///   - sender: who has sent it.
    ///   - condition: as for ``setPoster(ofTitle:at:from:if:)``.
    /// - Returns: the title with its new poster; `nil` if there is no title with that ID.
    /// - Throws: `LibraryError` if the file is not an image; `Refusal` if the title has been changed.
    package func setPoster(
        ofTitle id: String, to image: ByteBuffer, from sender: UploadSender = .operators,
        if condition: @escaping RecordCondition<TitleRecord> = { _ in true }
    ) async throws -> TitleRecord? {
        try await posters.setPoster(ofTitle: id, to: image, from: sender, if: condition)
    }

    /// Uses an image that an operator sends as a track's cover; it stays when the file is replaced.
    ///
    /// - Parameters:
    ///   - id: the track's ID.
    ///   - image: a JPEG or PNG file; only a worker examines its content. `nil` shows again the image beside the file,
    ///     or the one in it.
    ///   - condition: whether the track is still the one that the change is meant for; evaluated in the transaction of
    ///     the change.
    /// - Returns: the track with its new cover; `nil` if there is no track with that ID.
    /// - Throws: `LibraryError` if the file is not an image; `Refusal` if the track has been changed.
    package func setCover(
        ofTrack id: String, to image: ByteBuffer?,
        if condition: @escaping RecordCondition<AudioTrackRecord> = { _ in true }
    ) async throws -> AudioTrackRecord? {
        try await covers.setCover(ofTrack: id, to: image, if: condition)
    }

    // MARK: Ladders

    /// Requests a ladder of a title. Finished chunks of the same request are reused. A ladder that is being made with
    /// other presets is superseded.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - presets: the presets to choose from.
    ///   - bandwidthLimit: the BANDWIDTH below which the lowest rendition has to stay with its audio, in bits per
    ///     second; `nil` for no limit.
    /// - Returns: `nil` if there is no such title.
    /// - Throws: `LibraryError` if none of the presets makes sense for the title; `WorkerFailure`
    package func makeLadder(
        ofTitle id: String, presets: [QualityPreset], bandwidthLimit: Int? = nil
    ) async throws -> LadderStatus? {
        try await ladders.make(
            ofTitle: id, LadderParameters(presets: presets, bandwidthLimit: bandwidthLimit), in: runner)
    }

    /// The state of a title's ladder.
    ///
    /// - Returns: `nil` if there is no such title.
    package func ladderStatus(ofTitle id: String) async throws -> LadderStatus? {
        try await ladders.status(ofTitle: id, in: runner)
    }

    /// Cancels the ladder that is being made, or deletes the finished one if none is being made.
    ///
    /// - Returns: `nil` if there is no such title.
    package func dropLadder(ofTitle id: String) async throws -> LadderStatus? {
        try await ladders.drop(ofTitle: id, in: runner)
    }

    /// Applies another policy. Missing ladders of ready titles are made; existing ones stay, and running jobs continue.
    package func use(_ policy: LadderPolicy) async throws { try await ladders.use(policy, in: runner) }
}
