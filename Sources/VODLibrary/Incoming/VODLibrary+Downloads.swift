package import Catalogue
import Foundation
import NIOCore
import NIOPosix
import Packaging

/// The data that an import stores besides its bytes, so that it can be resumed after a crash.
private struct ImportNote: Codable {
    var name: String
    var validator: String?
}

extension VODLibrary {
    /// Limit on the bytes of an imported file; the same as for uploads.
    static let maximumDownloadByteCount = UploadStore.maximumByteCount
    /// Limit on open imports. The last of a full list may wait for hours.
    static let maximumDownloadCount = 100
    /// Limit on consecutive attempts that did not receive a single byte.
    static let maximumFetchAttemptCount = 6
    static let maximumURLByteCount = 2_048
    /// Limit on the duration of an import. A day is 256 GB at 24 Mbit/s.
    static let maximumDownloadTime = Duration.seconds(86_400)

    static func incomingID(of number: Int64) -> String { "download\(number)" }

    /// Queues the import of a file from a URL.
    ///
    /// - Throws: ``LibraryError`` if the URL is not allowed, or if there are too many imports.
    package func importFile(from url: String) async throws -> JobRecord {
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
        return try await queueDownload(
            of: address.path.pathComponents.last.map(String.init) ?? host, from: url)
    }

    /// Queues the import of a local file that takes long to copy.
    ///
    /// - Returns: `nil` if the file need not be copied, if copying it takes only a moment, or if it is not a readable
    ///   file.
    /// - Throws: ``LibraryError`` if there are too many imports.
    package func importFile(atPath path: String) async throws -> JobRecord? {
        guard path.path(below: configuration.mediaDirectory) == nil else { return nil }
        let mediaImport = importer.mediaImport
        guard try await threadPool.runIfActive({ mediaImport.takesLong(path: path) }) else { return nil }
        return try await queueDownload(
            of: path.lastPathComponent, from: LocalFileFetching.url(ofPath: path))
    }

    private func queueDownload(of last: String, from url: String) async throws -> JobRecord {
        guard await ledger.openCount(of: .download) < Self.maximumDownloadCount else {
            throw LibraryError(
                .limitExceeded, "\(Self.maximumDownloadCount) imports are waiting or running; try again later")
        }
        let record = await ledger.openedDownload(of: last, from: url)
        // The import is a promise to the client, and only the job's record knows of it.
        try await ledger.flush()
        await queue.add(IngestJob(task: .download, id: "\(record.number)", fileName: last))
        return record
    }

    /// Performs the import of a job.
    func download(_ job: IngestJob) async throws -> JobOutcome {
        guard let number = Int64(job.id), let record = try await ledger.job(number: number), let url = record.origin,
            let fetcher = url.hasPrefix("file:") ? LocalFileFetching(threadPool: threads.long) : fetcher
        else { return .moot }
        do {
            let (file, name) = try await withThrowingTaskGroup(of: (IncomingFile, IncomingName).self) { group in
                group.addTask { try await self.fetchFile(job, url, number, fetcher) }
                group.addTask { [clock] in
                    try await clock.sleep(for: Self.maximumDownloadTime)
                    throw LibraryError(.limitExceeded, "the import took longer than a day")
                }
                defer { group.cancelAll() }
                guard let result = try await group.next() else { throw CancellationError() }
                return result
            }
            let item = try await adopt(file, as: name)
            await ledger.changed(job) { record in
                record.file = name.text
                record.section = item.section.rawValue
                record.subject = item.id
            }
            await forgetDownload(number)
            await ledger.ended(job, as: .ready)
            // Flushed at once, because otherwise the file would be fetched again after a crash.
            try? await ledger.flush()
            return .ended(.ready)
        } catch let error as CancellationError {
            // Cancelled by a shutdown, after which the import is resumed, or by an operator, who has its files deleted.
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            await forgetDownload(number)
            return .ended(.failed, error: "\(record.file): \(error)")
        }
    }

    /// Deletes what an import has received and stored.
    func forgetDownload(_ number: Int64) async {
        let (mediaDirectory, notePath) = (configuration.mediaDirectory, notePath(number))
        await threads.uploads.runToEnd {
            for section in LibrarySection.allCases {
                IncomingFile(section: section, mediaDirectory: mediaDirectory, id: Self.incomingID(of: number)).delete()
            }
            unlink(notePath)
        }
    }

    private func notePath(_ number: Int64) -> String {
        "\(configuration.dataDirectory)/uploads/\(Self.incomingID(of: number)).note"
    }

    // MARK: One file

    /// Makes attempts until the whole file has been received.
    private func fetchFile(
        _ job: IngestJob, _ url: String, _ number: Int64, _ fetcher: any RemoteFetching
    ) async throws -> (IncomingFile, IncomingName) {
        let receiver = try await ImportReceiver(
            id: Self.incomingID(of: number), notePath: notePath(number),
            mediaDirectory: configuration.mediaDirectory, threadPool: threads.uploads
        ) { [ledger] offset, byteCount in
            await ledger.progressed(job, to: Double(offset) / Double(byteCount), of: byteCount)
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
                try await clock.sleep(for: .seconds(1 << (attempt - 1)))
            }
        }
    }
}

/// Writes the received bytes to the disk, each at its position in the file.
///
/// `@unchecked Sendable`: only one job's task uses it, one call at a time.
private final class ImportReceiver: @unchecked Sendable {
    private let id: String
    private let notePath: String
    private let mediaDirectory: String
    private let threadPool: NIOThreadPool
    /// Reports the number of bytes received and of the whole file.
    private let report: @Sendable (Int64, Int64) async -> Void
    private var note: ImportNote?
    /// Size of the whole file in bytes, from the latest response; `nil` if it is not known.
    private var announced: Int64?
    private var lastReport: ContinuousClock.Instant?

    init(
        id: String, notePath: String, mediaDirectory: String, threadPool: NIOThreadPool,
        report: @escaping @Sendable (Int64, Int64) async -> Void
    ) async throws {
        self.id = id
        self.notePath = notePath
        self.mediaDirectory = mediaDirectory
        self.threadPool = threadPool
        self.report = report
        note = try await threadPool.runIfActive {
            (try? Data(contentsOf: URL(filePath: notePath))).flatMap {
                try? JSONDecoder().decode(ImportNote.self, from: $0)
            }
        }
    }

    private func file(_ name: IncomingName) -> IncomingFile {
        IncomingFile(section: name.section, mediaDirectory: mediaDirectory, id: id)
    }

    /// The validator of the received bytes; `nil` if the origin does not tell versions apart, so that nothing can be
    /// resumed.
    var validator: String? { note?.validator }

    /// Number of received bytes that can be resumed.
    var byteCount: Int64 {
        get async throws {
            guard let note, note.validator != nil, let name = try? IncomingName(note.name) else { return 0 }
            let file = file(name)
            return try await threadPool.runIfActive { file.byteCount } ?? 0
        }
    }

    var isComplete: Bool {
        get async throws {
            guard let announced, let (file, _) = try? result() else { return false }
            return try await threadPool.runIfActive { file.byteCount } == announced
        }
    }

    func result() throws -> (IncomingFile, IncomingName) {
        guard let note else { throw LibraryError(.storage, "nothing was received") }
        let name = try IncomingName(note.name)
        return (file(name), name)
    }

    func receive(_ response: RemoteResponse) async throws {
        let name = try IncomingName(response.name)
        let maximum = VODLibrary.maximumDownloadByteCount
        guard response.byteCount ?? 0 <= maximum else {
            throw LibraryError(.limitExceeded, "the file is larger than \(maximum >> 30) GiB")
        }
        let file = file(name)
        announced = response.byteCount
        if response.offset == 0 {
            try await threadPool.runIfActive { [self] in try begin(file, name, response) }
        }
        let descriptor = try await threadPool.runIfActive {
            let descriptor = open(file.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw IncomingFile.failure("the file cannot be written") }
            return descriptor
        }
        // Closing may wait until a network file system has taken what was written.
        defer { threadPool.submit { _ in close(descriptor) } }
        var offset = response.offset
        for try await piece in response.bytes {
            guard offset + Int64(piece.readableBytes) <= response.byteCount ?? maximum else {
                throw LibraryError(.limitExceeded, "more bytes arrived than were announced or are allowed")
            }
            if response.byteCount == nil, offset >> 26 != (offset + Int64(piece.readableBytes)) >> 26 {
                // Checked every 64 MiB if the origin does not announce the size.
                try await threadPool.runIfActive {
                    try MediaImport.checkFreeSpace(for: name.text, byteCount: 64 << 20, in: file.folder)
                }
            }
            let place = offset
            try await threadPool.runIfActive { try Self.write(piece, to: descriptor, at: place) }
            offset += Int64(piece.readableBytes)
            await reportIfDue(offset, of: response.byteCount)
        }
        if let byteCount = response.byteCount, offset < byteCount {
            throw Incomplete(description: "the connection ended after \(offset) of \(byteCount) bytes")
        }
        guard offset > 0 else { throw LibraryError(.unplayable, "the file is empty") }
    }

    private struct Incomplete: Error, CustomStringConvertible {
        var description: String
    }

    private func begin(_ file: IncomingFile, _ name: IncomingName, _ response: RemoteResponse) throws {
        // Deletes the file of an earlier attempt, which may have had another name.
        if let note, let old = try? IncomingName(note.name) { self.file(old).delete() }
        try file.create()
        if let byteCount = response.byteCount {
            try MediaImport.checkFreeSpace(for: name.text, byteCount: byteCount, in: file.folder)
        }
        let note = ImportNote(name: name.text, validator: response.validator)
        let folder = URL(filePath: notePath).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(note).write(to: URL(filePath: notePath), options: .atomic)
        self.note = note
    }

    private static func write(_ piece: ByteBuffer, to descriptor: Int32, at offset: Int64) throws {
        let failure = DiskFile.write(piece, to: descriptor, at: offset)
        guard failure == 0 else {
            throw IncomingFile.failure("the import cannot be written to the disk", number: failure)
        }
    }

    private func reportIfDue(_ offset: Int64, of byteCount: Int64?) async {
        guard let byteCount, byteCount > 0 else { return }
        let now = ContinuousClock.now
        if let lastReport, now - lastReport < .milliseconds(250) { return }
        lastReport = now
        await report(offset, byteCount)
    }
}
