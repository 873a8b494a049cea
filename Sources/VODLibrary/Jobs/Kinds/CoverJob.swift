import Catalogue
import JobRunning
import LibraryCore
import LogMetadata
import Logging
import MediaCore
import MediaWorker
import NIOCore

/// Makes tracks' covers: by jobs of the images beside their files, and at once of an image that an operator sends.
actor CoverJob: LibraryJobKind {
    nonisolated let kind = JobKind.cover
    nonisolated let section: LibrarySection? = .tracks
    nonisolated let holdsFile = false
    /// A track plays without its cover.
    nonisolated let rank = 1

    private let context: LibraryContext
    private let worker: any WorkerRunning
    /// IDs of tracks whose operators wait for a cover.
    private var requested: Set<String> = []
    /// IDs of tracks for whose covers the queue had no room.
    private var postponed = PostponedSubjects()

    /// Limit on requests at a time, because each starts a worker; more are refused.
    static let maximumRequestCount = 4
    /// Limit on attempts of one job; the image beside a track changes once while a cover is made, perhaps twice.
    private static let maximumAttemptCount = 3

    init(context: LibraryContext, worker: any WorkerRunning) {
        (self.context, self.worker) = (context, worker)
    }

    nonisolated func firstLane(ofFile name: String) -> JobLane { .short }

    // MARK: The job

    /// Queues a track's cover if the image beside its file has changed. If the queue is full, ``queuePostponed(in:)``
    /// does so later.
    func queue(for record: AudioTrackRecord, in jobs: JobRunner) async {
        guard record.needsCover(in: context.derived) else { return }
        let job = await jobs.enqueue(JobRequest(kind, subject: record.id, fileName: record.file))
        if job == nil { postponed.add(record.id) }
    }

    func queue(ofTrack id: String, in jobs: JobRunner) async throws {
        guard let track = try await context.catalogue.track(id: id) else { return }
        await queue(for: track, in: jobs)
    }

    /// Queues covers for which the queue had no room, if there is room for several now.
    func queuePostponed(in jobs: JobRunner) async throws {
        guard !postponed.isEmpty, await jobs.hasRoom(for: PostponedSubjects.batchSize) else { return }
        for id in postponed.takeBatch() { try await queue(ofTrack: id, in: jobs) }
    }

    /// Makes a track's cover of the image beside it, or removes the cover of an image that is gone.
    ///
    /// - Throws: `WorkerFailure` if the file is not an image; the track then has the cover that is in its file.
    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        for _ in 0..<Self.maximumAttemptCount {
            guard let record = try await context.catalogue.track(id: job.id), record.needsCover(in: context.derived)
            else { return .superseded }
            let output = record.besideCoverPath(in: context.derived)
            var made = output
            if let output, let image = record.coverFile {
                do {
                    let work = ImageWork.upload(output: output, width: TitleIngest.posterWidth)
                    _ = try await worker.run(
                        WorkerRequest(task: .image(work), input: image.path, limits: .inspection), onProgress: { _ in })
                } catch let failure as WorkerFailure {
                    context.logger.warning(
                        "image file beside the track cannot be used as its cover",
                        metadata: [.file: "\(record.file)", .reason: "\(failure.reason)"])
                    made = nil
                }
            }
            let (isKept, path) = (made != nil || output == nil, made)
            let change = try await context.catalogue.changeCovers(ofTrack: record.id) { covers in
                if covers.file == record.coverFile { covers.ofFile = path }
            }
            await context.deleteDerived(
                [change?.old.coverOfFile, path].filter { $0 != nil && $0 != change?.new.coverOfFile })
            guard let new = change?.new else { return .superseded }
            if new.coverFile == record.coverFile {
                return isKept ? .ready : .ended(JobEnding(.failed, error: "the image beside the track cannot be used"))
            }
            // The image has changed meanwhile; nobody else asks for its cover.
        }
        return .superseded
    }

    func isStillWanted(_ job: LibraryJob) async throws -> Bool {
        try await context.catalogue.track(id: job.id).map { $0.needsCover(in: context.derived) } ?? false
    }

    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding {
        try await context.catalogue.track(id: job.id) == nil
            ? JobEnding(.cancelled, error: "the file is gone") : JobEnding(.ready)
    }

    func cancelled(_ job: LibraryJob) async throws {}

    func retry(_ job: LibraryJob) async throws -> Bool { try await isStillWanted(job) }

    // MARK: What operators ask for

    /// Uses an image that an operator sends as a track's cover, or none any more; it stays when the file is replaced.
    ///
    /// - Parameters:
    ///   - id: the track's ID.
    ///   - image: a JPEG or PNG file; only a worker examines its content. `nil` removes the operator's cover.
    ///   - condition: whether the track is still the one that the change is meant for.
    /// - Returns: the track with its new cover; `nil` if there is no track with that ID.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made, and `Refusal` if the track
    ///   has been changed; the cover stays as it was.
    func setCover(
        ofTrack id: String, to image: ByteBuffer?, if condition: @escaping RecordCondition<AudioTrackRecord>
    ) async throws -> AudioTrackRecord? {
        guard let record = try await context.catalogue.track(id: id) else { return nil }
        guard condition(record) else { throw Refusal.changedMeanwhile(id) }
        var output: String?
        if let image {
            guard requested.count < Self.maximumRequestCount, !requested.contains(id) else {
                throw LibraryError(
                    .limitExceeded, "\(requested.count) covers are being made; try again in a moment")
            }
            requested.insert(id)
            defer { requested.remove(id) }
            output = try await UploadedImageMaker(context: context, worker: worker).make(
                of: image, in: .covers, id: id, width: TitleIngest.posterWidth)
        }
        let path = output
        do {
            let change = try await context.catalogue.changeCovers(ofTrack: id, if: condition) { $0.uploaded = path }
            await context.deleteDerived([change?.old.uploadedCover, path].filter { $0 != change?.new.uploadedCover })
            return change?.new
        } catch let error as Refusal {
            // Each image that was sent has a name of its own.
            await context.deleteDerived([path])
            throw error
        }
    }
}
