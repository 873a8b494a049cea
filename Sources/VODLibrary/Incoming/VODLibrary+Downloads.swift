package import Catalogue
import Foundation
import NIOCore
import NIOPosix
import Packaging

/// What a download has to remember beside its bytes, to go on after a kill.
private struct DownloadNote: Codable {
    var name: String
    var validator: String?
}

extension VODLibrary {
    /// Of a file that is fetched: the same as may be uploaded.
    static let maximumDownloadByteCount = UploadStore.maximumByteCount
    /// Wherever the end of the list is, an hour passes before it comes to it.
    static let maximumDownloadCount = 100
    /// In a row, none of which brought a byte.
    static let maximumFetchAttemptCount = 6
    static let maximumURLByteCount = 2_048
    /// A day is 256 GB at 24 Mbit/s.
    static let maximumDownloadTime = Duration.seconds(86_400)

    static func incomingID(of number: Int64) -> String { "download\(number)" }

    /// Queues a file that lies behind an address.
    ///
    /// - Throws: ``LibraryError``
    package func importFile(from url: String) async throws -> JobRecord {
        guard fetcher != nil else { throw LibraryError(.notPossible, "this server fetches nothing") }
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

    /// Queues a file of this machine that takes long to copy.
    ///
    /// - Returns: `nil` where it need not be copied, or that takes a moment; and for what is no such file.
    /// - Throws: ``LibraryError``
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
                .limitExceeded, "\(Self.maximumDownloadCount) imports are not done yet; try again later")
        }
        let record = await ledger.openedDownload(of: last, from: url)
        // It is a promise, and nothing but the job's record knows of it.
        try await ledger.flush()
        await queue.add(IngestJob(task: .download, id: "\(record.number)", fileName: last))
        return record
    }

    func download(_ job: IngestJob) async throws -> JobOutcome {
        guard let number = Int64(job.id), let record = try await ledger.job(number: number), let url = record.origin,
            let fetcher = url.hasPrefix("file:") ? LocalFileFetching(threadPool: threads.long) : fetcher
        else { return .moot }
        do {
            let (file, name) = try await withThrowingTaskGroup(of: (IncomingFile, IncomingName).self) { group in
                group.addTask { try await self.bring(job, url, number, fetcher) }
                group.addTask { [clock] in
                    try await clock.sleep(for: Self.maximumDownloadTime)
                    throw LibraryError(.limitExceeded, "it took longer than a day")
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
            // At once: after a kill it would be fetched again.
            try? await ledger.flush()
            return .ended(.ready)
        } catch let error as CancellationError {
            // By a shutdown, which goes on with it, or an operator, who has it deleted.
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            await forgetDownload(number)
            return .ended(.failed, error: "\(record.file): \(error)")
        }
    }

    /// Deletes what has come of it.
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

    /// Asks until the whole file is there.
    private func bring(
        _ job: IngestJob, _ url: String, _ number: Int64, _ fetcher: any RemoteFetching
    ) async throws -> (IncomingFile, IncomingName) {
        let receiver = try await DownloadReceiver(
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
                // The last bytes came, and then the connection's end was not as it should be.
                if try await receiver.isComplete { return try receiver.result() }
                attempt = try await receiver.byteCount > before ? 1 : attempt + 1
                guard attempt < Self.maximumFetchAttemptCount else {
                    throw LibraryError(.storage, "it cannot be fetched: \(error)")
                }
                try await clock.sleep(for: .seconds(1 << (attempt - 1)))
            }
        }
    }
}

/// Writes what comes to the disk, at the place where it belongs.
///
/// `@unchecked Sendable`: one job's task uses it, one call at a time.
private final class DownloadReceiver: @unchecked Sendable {
    private let id: String
    private let notePath: String
    private let mediaDirectory: String
    private let threadPool: NIOThreadPool
    /// Bytes that there are, and of the whole.
    private let report: @Sendable (Int64, Int64) async -> Void
    private var note: DownloadNote?
    /// Of the whole file, as the last answer said.
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
                try? JSONDecoder().decode(DownloadNote.self, from: $0)
            }
        }
    }

    private func file(_ name: IncomingName) -> IncomingFile {
        IncomingFile(section: name.section, mediaDirectory: mediaDirectory, id: id)
    }

    /// Of an origin that does not tell versions apart, nothing can be gone on with.
    var validator: String? { note?.validator }

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
        guard let note else { throw LibraryError(.storage, "nothing has come") }
        let name = try IncomingName(note.name)
        return (file(name), name)
    }

    func receive(_ response: RemoteResponse) async throws {
        let name = try IncomingName(response.name)
        let maximum = VODLibrary.maximumDownloadByteCount
        guard response.byteCount ?? 0 <= maximum else {
            throw LibraryError(.limitExceeded, "it has more than \(maximum >> 30) GiB")
        }
        let file = file(name)
        announced = response.byteCount
        if response.offset == 0 {
            try await threadPool.runIfActive { [self] in try begin(file, name, response) }
        }
        let descriptor = try await threadPool.runIfActive {
            let descriptor = open(file.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw IncomingFile.failure("it cannot be written") }
            return descriptor
        }
        // Closing may wait for a network file system to take what was written.
        defer { threadPool.submit { _ in close(descriptor) } }
        var offset = response.offset
        for try await piece in response.bytes {
            guard offset + Int64(piece.readableBytes) <= response.byteCount ?? maximum else {
                throw LibraryError(.limitExceeded, "more bytes come than were announced or are allowed")
            }
            if response.byteCount == nil, offset >> 26 != (offset + Int64(piece.readableBytes)) >> 26 {
                // Every 64 MiB, where the origin does not say how many there will be.
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
            throw Incomplete(description: "the origin ended after \(offset) of \(byteCount) bytes")
        }
        guard offset > 0 else { throw LibraryError(.unplayable, "it is empty") }
    }

    private struct Incomplete: Error, CustomStringConvertible {
        var description: String
    }

    private func begin(_ file: IncomingFile, _ name: IncomingName, _ response: RemoteResponse) throws {
        // Of another attempt, which may have had another name.
        if let note, let old = try? IncomingName(note.name) { self.file(old).delete() }
        try file.create()
        if let byteCount = response.byteCount {
            try MediaImport.checkFreeSpace(for: name.text, byteCount: byteCount, in: file.folder)
        }
        let note = DownloadNote(name: name.text, validator: response.validator)
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
