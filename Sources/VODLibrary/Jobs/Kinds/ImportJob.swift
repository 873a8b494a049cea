import Catalogue
import Foundation
import JobRunning
import LibraryCore
import MediaCore
import MediaIntake
import MediaWorker
import NIOPosix

/// Imports files from elsewhere into the media folder: from a URL, or large files of this machine. What has arrived
/// survives a restart.
struct ImportJob: LibraryJobKind {
    let kind = JobKind.download
    let section: LibrarySection? = nil
    let holdsFile = false

    private let context: LibraryContext
    private let intake: LibraryIntake
    /// `nil` if files are not imported from URLs.
    private let fetcher: (any RemoteImporting)?
    /// The jobs that follow from a new file.
    private let following: @Sendable (JobRunner) -> any FolderJobs

    /// Limit on open imports. The last of a full list may wait for hours.
    static let maximumOpenCount = 100
    /// Limit on consecutive attempts that did not receive a single byte.
    static let maximumFetchAttemptCount = 6
    static let maximumURLByteCount = 2_048
    /// Limit on the duration of an import. A day is 256 GB at 24 Mbit/s.
    static let maximumDuration = Duration.seconds(86_400)

    init(
        context: LibraryContext, intake: LibraryIntake, fetcher: (any RemoteImporting)?,
        following: @escaping @Sendable (JobRunner) -> any FolderJobs
    ) {
        self.context = context
        self.intake = intake
        self.fetcher = fetcher
        self.following = following
    }

    func firstLane(ofFile name: String) -> JobLane { .download }
    func runningState(in lane: JobLane) -> JobState { .downloading }

    // MARK: Adding

    /// Queues the import of a file from a URL.
    ///
    /// - Throws: `LibraryError` if the URL is not allowed, or if there are too many imports.
    func queue(url: String, in jobs: JobRunner) async throws -> JobRecord {
        guard fetcher != nil else { throw LibraryError(.notPossible, "this server does not import files from URLs") }
        guard let address = URLComponents(string: url), url.utf8.count <= Self.maximumURLByteCount,
            let scheme = address.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = address.host, !host.isEmpty
        else {
            throw LibraryError(.notPossible, "\"url\" must be an http or https address of at most 2048 bytes")
        }
        guard address.user == nil, address.password == nil else {
            throw LibraryError(.notPossible, "\"url\" must not have a user name or a password in it: the job shows it")
        }
        return try await queue(
            fileName: address.path.pathComponents.last.map(String.init) ?? host, from: url, in: jobs)
    }

    /// Queues the import of a local file that takes long to copy.
    ///
    /// - Returns: `nil` if the file need not be copied, if copying it takes only a moment, or if it is not a readable
    ///   file.
    /// - Throws: `LibraryError` if there are too many imports.
    func queue(path: String, in jobs: JobRunner) async throws -> JobRecord? {
        let mediaDirectory = context.configuration.mediaDirectory
        guard path.path(below: mediaDirectory) == nil else { return nil }
        let mediaImport = MediaImport(mediaDirectory: mediaDirectory, stored: context.files.stored)
        guard try await context.threadPool.runIfActive({ mediaImport.takesLong(path: path) }) else { return nil }
        return try await queue(
            fileName: path.lastPathComponent, from: LocalFileImporting.url(ofPath: path), in: jobs)
    }

    /// Whether a file on this machine is one of the media folder.
    func isInMediaFolder(path: String) async throws -> Bool {
        let mediaImport = MediaImport(
            mediaDirectory: context.configuration.mediaDirectory, stored: context.files.stored)
        return try await context.threadPool.runIfActive { mediaImport.isInMediaFolder(path: path) }
    }

    private func queue(fileName: String, from url: String, in jobs: JobRunner) async throws -> JobRecord {
        guard await jobs.openCount(of: kind) < Self.maximumOpenCount else {
            throw LibraryError(
                .limitExceeded, "\(Self.maximumOpenCount) imports are waiting or running; try again later")
        }
        guard let record = await jobs.enqueue(JobRequest(kind, fileName: fileName, origin: url)) else {
            throw JobRunner.fullError
        }
        // The import is a promise to the client, and only the job's record knows of it.
        try await jobs.flush()
        return record
    }

    // MARK: The job

    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        guard let record = await run.record(), let url = record.origin,
            let fetcher = url.hasPrefix("file:") ? LocalFileImporting(threadPool: context.threads.long) : fetcher
        else { return .superseded }
        do {
            let (file, name) = try await withThrowingTaskGroup(of: (ReceivedFile, ReceivedName).self) { group in
                group.addTask { try await fetch(url, number: job.number, fetcher, in: run) }
                group.addTask { [clock = context.clock] in
                    try await clock.sleep(for: Self.maximumDuration)
                    throw LibraryError(.limitExceeded, "the import took longer than a day")
                }
                defer { group.cancelAll() }
                guard let result = try await group.next() else { throw CancellationError() }
                return result
            }
            let item = try await intake.adopt(file, as: name, jobs: following(run.jobs))
            await deleteRemains(ofNumber: job.number)
            await run.finish { record in
                record.file = name.text
                record.section = item.section.rawValue
                record.subject = item.id
            }
            return .ready
        } catch let error as CancellationError {
            // Cancelled by a shutdown, after which the import is resumed, or by an operator, who has its files deleted.
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            await deleteRemains(ofNumber: job.number)
            return .ended(JobEnding(.failed, error: "\(record.file): \(error)"))
        }
    }

    func isStillWanted(_ job: LibraryJob) async throws -> Bool { true }
    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding { .superseded }
    func cancelled(_ job: LibraryJob) async throws { await deleteRemains(ofNumber: job.number) }

    // MARK: Files

    /// The identifier in the names of an import's files.
    static func importID(ofNumber number: Int64) -> String { "download\(number)" }

    private func notePath(ofNumber number: Int64) -> String {
        "\(context.configuration.dataDirectory)/uploads/\(Self.importID(ofNumber: number)).note"
    }

    /// Deletes what an import has received and stored.
    private func deleteRemains(ofNumber number: Int64) async {
        let (mediaDirectory, notePath) = (context.configuration.mediaDirectory, notePath(ofNumber: number))
        let stored = context.files.stored
        await context.threads.uploads.runToEnd {
            for section in LibrarySection.allCases {
                ReceivedFile(
                    section: section, mediaDirectory: mediaDirectory, stored: stored,
                    id: Self.importID(ofNumber: number)
                ).delete()
            }
            unlink(notePath)
        }
    }

    /// Makes attempts until the whole file has been received.
    private func fetch(
        _ url: String, number: Int64, _ fetcher: any RemoteImporting, in run: JobRun
    ) async throws -> (ReceivedFile, ReceivedName) {
        let receiver = try await ImportReceiver(
            id: Self.importID(ofNumber: number), notePath: notePath(ofNumber: number),
            mediaDirectory: context.configuration.mediaDirectory, stored: context.files.stored,
            threadPool: context.threads.uploads
        ) { offset, byteCount in
            await run.progressed(to: Double(offset) / Double(byteCount), of: byteCount)
        }
        var attempt = 0
        while true {
            let before = try await receiver.byteCount
            do {
                try await fetcher.fetch(url, from: before, validator: receiver.validator) { response in
                    try await receiver.receive(response)
                }
                return try receiver.result()
            } catch let error as LibraryError {
                throw error
            } catch {
                try Task.checkCancellation()
                // All bytes had arrived before the connection ended with an error.
                if try await receiver.isComplete { return try receiver.result() }
                attempt = try await receiver.byteCount > before ? 1 : attempt + 1
                guard attempt < Self.maximumFetchAttemptCount else {
                    throw LibraryError(.storage, "the file cannot be fetched: \(error)")
                }
                try await context.clock.sleep(for: .seconds(1 << (attempt - 1)))
            }
        }
    }
}
