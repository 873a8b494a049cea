import Catalogue
import JobRunning
import LibraryCore
import LogMetadata
import Logging
import MediaCore
import MediaIntake
import MediaWorker
import NIOCore

/// Makes titles' posters: by jobs, and at once if an operator asks for one.
actor PosterJob: LibraryJobKind {
    nonisolated let kind = JobKind.poster
    nonisolated let section: LibrarySection? = .titles
    /// A title plays without its poster, but a track does not play without its job.
    nonisolated let rank = 1

    private let context: LibraryContext
    private let worker: any WorkerRunning
    /// IDs of titles for whose posters somebody waits.
    private var requested: Set<String> = []
    /// Requests that are carried out.
    private var requests = SenderShares(limit: maximumRequestCount, ofMember: 1)
    /// IDs of titles for whose posters the queue had no room.
    private var postponed = PostponedSubjects()

    /// Limit on requests of operators at a time, and on those of members, because each starts a worker; more are
    /// refused.
    static let maximumRequestCount = 4

    init(context: LibraryContext, worker: any WorkerRunning) {
        self.context = context
        self.worker = worker
    }

    nonisolated func firstLane(ofFile name: String) -> JobLane { .short }

    // MARK: The job

    /// Queues a title's poster if the title needs one. If the queue is full, ``queuePostponed(in:)`` does so later.
    func queue(for record: TitleRecord, in jobs: JobRunner) async {
        guard record.needsPoster(in: context.derived) else { return }
        let job = await jobs.enqueue(JobRequest(kind, subject: record.id, fileName: record.file))
        if job == nil { postponed.add(record.id) }
    }

    /// Queues posters for which the queue had no room, if there is room for several now.
    func queuePostponed(in jobs: JobRunner) async throws {
        guard !postponed.isEmpty, await jobs.hasRoom(for: PostponedSubjects.batchSize) else { return }
        for id in postponed.takeBatch() {
            guard let title = try await context.catalogue.title(id: id) else { continue }
            await queue(for: title, in: jobs)
        }
    }

    /// Limit on attempts of one job; the image beside a title changes once while a poster is made, perhaps twice.
    private static let maximumAttemptCount = 3

    /// Makes a title's poster. A title without a poster plays all the same, so a failure is only logged.
    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        for _ in 0..<Self.maximumAttemptCount {
            guard let record = try await context.catalogue.title(id: job.id), record.needsPoster(in: context.derived)
            else { return .superseded }
            let path = try await makePoster(of: record)
            let (time, uploaded, beside) = (record.posterTime, record.uploadedPoster, record.posterFile)
            let change = try await context.catalogue.changeImages(
                ofTitle: record.id, revision: record.revision
            ) { images in
                // An operator who wanted another poster meanwhile has it already.
                guard images.posterTime == time, images.uploadedPoster == uploaded, images.posterFile == beside else {
                    return
                }
                images.poster = path
            }
            await dropPosters(of: change?.old, besides: change?.new, made: path)
            guard change?.new.poster != path else { return .ready }
            // The image beside the title has come or gone meanwhile; nobody else asks for its poster.
            guard let new = change?.new, new.posterFile != beside else { return .superseded }
        }
        return .superseded
    }

    func isStillWanted(_ job: LibraryJob) async throws -> Bool {
        try await context.catalogue.title(id: job.id).map { $0.needsPoster(in: context.derived) } ?? false
    }

    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding {
        try await context.titleEnding(id: job.id)
    }

    // MARK: What operators ask for

    /// Chooses the frame at a given time as a title's poster; for a title that is not ready yet, once it is.
    ///
    /// - Parameters:
    ///   - seconds: the time of the frame; `nil` for the automatic choice.
    ///   - sender: who asks.
    ///   - condition: whether the title is still the one that the change is meant for.
    /// - Returns: the title with its new poster; `nil` if there is no title with that ID.
    /// - Throws: `LibraryError` if there is no such time, or no frame at it, and `Refusal` if the title has been
    ///   changed; the poster stays as it was.
    func setPoster(
        ofTitle id: String, at seconds: Double?, from sender: UploadSender,
        if condition: @escaping RecordCondition<TitleRecord>, in jobs: JobRunner
    ) async throws -> TitleRecord? {
        guard var record = try await context.catalogue.title(id: id) else { return nil }
        guard condition(record) else { throw Refusal.changedMeanwhile(id) }
        if let seconds {
            guard seconds.isFinite, seconds >= 0 else {
                throw LibraryError(.unplayable, "the time of a poster must be 0 s or later")
            }
            guard seconds <= record.duration ?? .infinity else {
                throw LibraryError(
                    .unplayable, "\(record.file) ends after \(record.duration ?? 0) s, before the time of the poster")
            }
        }
        record.posterTime = seconds
        record.uploadedPoster = nil
        guard record.state == .ready else {
            let change = try await context.catalogue.changeImages(ofTitle: id, revision: nil, if: condition) { images in
                images.posterTime = seconds
                images.uploadedPoster = nil
            }
            guard let change else { return nil }
            await context.deleteDerived([change.old.uploadedPoster])
            // The title may have become ready meanwhile.
            await queue(for: change.new, in: jobs)
            return change.new
        }
        guard record.videoCodec != nil else {
            throw LibraryError(.unplayable, "\(record.file) has no video, so it cannot have a poster")
        }
        let inputs = record.mediaPath.map { [$0: record.file] } ?? [:]
        return try await asRequested(forTitle: id, from: sender, namingInputs: inputs) {
            let path = try await makePoster(of: record)
            return try await keepPoster(path, ofTitle: id, revision: record.revision, if: condition) { images in
                images.posterTime = seconds
                images.uploadedPoster = nil
            }
        }
    }

    /// Uses an image that an operator sends as a title's poster; it stays when the file is replaced.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file; only a worker decodes it.
    ///   - sender: who has sent it.
    ///   - condition: whether the title is still the one that the change is meant for.
    /// - Returns: the title with its new poster; `nil` if there is no title with that ID.
    /// - Throws: `LibraryError` if the file is not an image; `Refusal` if the title has been changed.
    func setPoster(
        ofTitle id: String, to image: ByteBuffer, from sender: UploadSender,
        if condition: @escaping RecordCondition<TitleRecord>
    ) async throws -> TitleRecord? {
        guard let record = try await context.catalogue.title(id: id) else { return nil }
        guard condition(record) else { throw Refusal.changedMeanwhile(id) }
        return try await asRequested(forTitle: id, from: sender, namingInputs: [:]) {
            let output = try await UploadedImageMaker(context: context, worker: worker).make(
                of: image, in: .posters, id: id, width: TitleIngest.posterWidth)
            return try await keepPoster(output, ofTitle: id, revision: nil, if: condition) { images in
                images.posterTime = nil
                images.uploadedPoster = output
            }
        }
    }

    // MARK: One after the other

    private func makePoster(of record: TitleRecord) async throws -> String {
        guard let media = record.mediaPath else { throw LibraryError(.notPossible, "\(record.file) is not ready") }
        let output = record.posterPath(in: context.derived)
        let request: WorkerRequest
        switch record.posterChoice {
        case .automatic:
            request = WorkerRequest(
                task: .poster(output: output, width: TitleIngest.posterWidth), input: media, limits: .inspection)
        case .time(let seconds):
            let work = ImageWork.time(output: output, width: TitleIngest.posterWidth, seconds: seconds)
            request = WorkerRequest(task: .image(work), input: media, limits: .images)
        case .beside(let file):
            do {
                let work = ImageWork.upload(output: output, width: TitleIngest.posterWidth)
                _ = try await worker.run(
                    WorkerRequest(task: .image(work), input: file.path, limits: .inspection), onProgress: { _ in })
                return output
            } catch let failure as WorkerFailure {
                context.logger.warning(
                    "image file beside the title cannot be used as its poster",
                    metadata: [.titleFile: "\(record.file)", .reason: "\(failure.reason)"])
            }
            // The name stays, so that the image is not tried again before it changes.
            request = WorkerRequest(
                task: .poster(output: output, width: TitleIngest.posterWidth), input: media, limits: .inspection)
        case .uploaded(let path): return path
        }
        _ = try await worker.run(request, onProgress: { _ in })
        return output
    }

    /// Stores a poster in the title's record.
    ///
    /// - Parameters:
    ///   - revision: the revision of the file to which the poster belongs; `nil` if it suits every revision.
    ///   - condition: whether the title is still the one that the poster is meant for.
    ///   - wish: records the operator's choice.
    private func keepPoster(
        _ path: String, ofTitle id: String, revision: String?, if condition: @escaping RecordCondition<TitleRecord>,
        _ wish: @escaping @Sendable (inout TitleImages) -> Void
    ) async throws -> TitleRecord? {
        do {
            let change = try await context.catalogue.changeImages(ofTitle: id, revision: revision, if: condition) {
                wish(&$0)
                $0.poster = path
            }
            await dropPosters(of: change?.old, besides: change?.new, made: path)
            return change?.new
        } catch let error as Refusal {
            // The frame that was made may be the poster that somebody else has chosen meanwhile.
            await dropPosters(of: nil, besides: try await context.catalogue.title(id: id), made: path)
            throw error
        }
    }

    /// Deletes posters that a title no longer has, and one that was made for a title that was deleted or replaced
    /// meanwhile.
    private func dropPosters(of old: TitleRecord?, besides new: TitleRecord?, made path: String) async {
        await context.deleteDerived(
            [old?.poster, old?.uploadedPoster, path].filter { $0 != new?.poster && $0 != new?.uploadedPoster })
    }

    /// Makes a poster that an operator waits for. Only one at a time is made for each title, because two would delete
    /// each other's files.
    ///
    /// - Parameters:
    ///   - sender: who waits.
    ///   - inputs: human-readable names of the files that workers open, keyed by path, which replace the library's own
    ///     names in errors.
    private func asRequested<Result>(
        forTitle id: String, from sender: UploadSender, namingInputs inputs: [String: String],
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard !requested.contains(id), requests.take(for: sender) else {
            throw LibraryError(.limitExceeded, "other posters are being made; try again in a moment")
        }
        requested.insert(id)
        defer {
            requested.remove(id)
            requests.giveBack(of: sender)
        }
        do {
            return try await body()
        } catch let error as WorkerFailure {
            let reason = inputs.reduce(error.reason) { reason, input in
                reason.replacing(FilePathText.name(of: input.key), with: input.value)
            }
            throw LibraryError(.unplayable, reason)
        }
    }
}
