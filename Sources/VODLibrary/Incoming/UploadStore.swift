package import Foundation
import Crypto
import MediaCore
import NIOCore
import NIOPosix
import Packaging
import Synchronization

/// A file that a client sends in pieces (tus 1.0), and how much of it there is.
package struct Upload: Sendable, Codable, Equatable {
    package var id: String
    /// As the file is going to be called.
    package var name: String
    /// Of the whole.
    package var byteCount: Int64
    /// Bytes behind it may be wrong: their checksum has not been compared.
    var verifiedByteCount: Int64?
    /// When it is given up, unless more comes.
    package var expiresAt: Date
    /// Comes as one request's body: nobody goes on with it.
    var isAtOnce: Bool?
    /// What became of it.
    package var section: String?
    package var subject: String?

    package var isFinished: Bool { subject != nil }
}

/// What a client says of the bytes that it sends at once.
package struct UploadChecksum: Sendable, Equatable {
    package enum Algorithm: String, Sendable, CaseIterable {
        case sha1
        case sha256
        case md5
    }

    package var algorithm: Algorithm
    package var digest: [UInt8]

    package init(algorithm: Algorithm, digest: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
    }

    func hasher() -> any HashFunction {
        switch algorithm {
        case .sha1: Insecure.SHA1()
        case .sha256: SHA256()
        case .md5: Insecure.MD5()
        }
    }
}

/// Why an upload cannot go on.
package struct UploadError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        case unknown
        /// The client is elsewhere in the file than the server.
        case offsetMismatch
        case checksumMismatch
        /// Nobody goes on with it, and not all has come.
        case incomplete
        /// Another connection is sending.
        case locked
        case tooLarge
        /// Too many at once.
        case tooMany
        case storage
    }

    package var code: Code
    package var reason: String
    package var description: String { reason }

    /// An upload that the server does not have, or no longer.
    static let unknownUpload = UploadError(
        .unknown, "the server does not know this upload; it may have been deleted or have expired, so start it again")

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// The uploads that are not done, and for a while those that are. What is told of one is what lies on the disk, so a
/// kill loses nothing but what was on the wire.
final class UploadStore: Sendable {
    private struct State {
        var uploads: [String: Upload] = [:]
        var locked: Set<String> = []
        var isLoaded = false
        /// When those that are unfinished are given up, on a clock that nobody sets.
        var deadlines: [String: Duration] = [:]

        mutating func forget(_ id: String) {
            uploads[id] = nil
            deadlines[id] = nil
        }
    }

    /// Not more than a conversion may write.
    static let maximumByteCount: Int64 = 256 << 30
    /// Each takes disk space that nobody has the use of yet.
    static let maximumUnfinishedCount = 64
    /// Remembered for clients that did not get the last answer.
    static let maximumFinishedCount = 256
    /// Since the last byte.
    static let maximumAge = 86_400.0
    /// After a start: the date may have been set while the server was down, so nothing goes at once.
    static let minimumAgeAfterStart = 3_600.0

    private let folder: String
    private let mediaDirectory: String
    private let now: @Sendable () -> Date
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - now: the date, for what clients and the next run are told.
    ///   - elapsed: the time since the start, by a clock that nobody sets: what is given up goes by this one.
    init(
        dataDirectory: String, mediaDirectory: String, now: @escaping @Sendable () -> Date,
        elapsed: @escaping @Sendable () -> Duration
    ) {
        folder = "\(dataDirectory)/uploads"
        self.mediaDirectory = mediaDirectory
        self.now = now
        self.elapsed = elapsed
    }

    func file(of upload: Upload) throws -> IncomingFile {
        IncomingFile(
            section: try IncomingName(upload.name).section, mediaDirectory: mediaDirectory, id: upload.id)
    }

    // MARK: Those there are

    /// Reads what an earlier run left. Blocks.
    func load() {
        state.withLock { state in
            guard !state.isLoaded else { return }
            state.isLoaded = true
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                let path = "\(folder)/\(name)"
                if name.hasSuffix(".note") { continue }
                guard name.hasSuffix(".json"), let data = try? Data(contentsOf: URL(filePath: path)),
                    let upload = try? JSONDecoder().decode(Upload.self, from: data), Self.isID(upload.id),
                    name == "\(upload.id).json", upload.isAtOnce != true
                else {
                    unlink(path)
                    continue
                }
                state.uploads[upload.id] = upload
                let rest = upload.expiresAt.timeIntervalSince(now())
                state.deadlines[upload.id] =
                    elapsed() + .seconds(min(max(rest, Self.minimumAgeAfterStart), Self.maximumAge))
            }
        }
    }

    /// Files of these belong to somebody.
    var unfinishedIDs: Set<String> {
        state.withLock { state in Set(state.uploads.values.filter { !$0.isFinished }.map(\.id)) }
    }

    private static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Blocks.
    ///
    /// - Parameter isResumable: `false` for what a kill ends.
    /// - Throws: ``UploadError``, ``LibraryError``
    func create(name: String, byteCount: Int64, isResumable: Bool = true) throws -> Upload {
        load()
        let name = try IncomingName(name)
        guard byteCount > 0 else { throw UploadError(.incomplete, "an empty file cannot be played") }
        guard byteCount <= Self.maximumByteCount else {
            throw UploadError(.tooLarge, "files are limited to \(Self.maximumByteCount >> 30) GiB")
        }
        expire()
        let upload = Upload(
            id: UUID().uuidString.replacing("-", with: "").lowercased(), name: name.text, byteCount: byteCount,
            expiresAt: now().addingTimeInterval(Self.maximumAge), isAtOnce: isResumable ? nil : true)
        let file = try file(of: upload)
        let unfinished = try state.withLock { state in
            let unfinished = state.uploads.values.filter { !$0.isFinished }
            guard unfinished.count < Self.maximumUnfinishedCount else {
                throw UploadError(
                    .tooMany, "\(unfinished.count) uploads are not finished; finish or delete some, or wait a day")
            }
            state.uploads[upload.id] = upload
            state.deadlines[upload.id] = elapsed() + .seconds(Self.maximumAge)
            return unfinished
        }
        // What others have been promised is not free.
        let promised = unfinished.reduce(0) { $0 + $1.byteCount - ((try? self.file(of: $1).byteCount) ?? 0) }
        do {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try file.create()
            try MediaImport.checkFreeSpace(for: name.text, byteCount: byteCount + promised, in: file.folder)
            try write(upload)
        } catch {
            file.delete()
            state.withLock { $0.forget(upload.id) }
            throw error
        }
        return upload
    }

    /// - Returns: the upload and how many bytes there are; `nil` where it is not known (any longer). Blocks.
    func status(id: String) -> (upload: Upload, offset: Int64)? {
        load()
        expire()
        guard
            let (upload, isLocked) = state.withLock({ state in
                state.uploads[id].map { ($0, state.locked.contains(id)) }
            })
        else { return nil }
        if upload.isFinished { return (upload, upload.byteCount) }
        guard let onDisk = try? file(of: upload).byteCount else { return nil }
        // While they are coming, or after a kill: they do not count before they have been compared.
        guard let verified = upload.verifiedByteCount else { return (upload, onDisk) }
        if !isLocked { try? dropUnverified(upload) }
        return (upload, min(verified, onDisk))
    }

    private func dropUnverified(_ upload: Upload) throws {
        guard let verified = upload.verifiedByteCount else { return }
        try file(of: upload).truncate(to: verified)
        var upload = upload
        upload.verifiedByteCount = nil
        try keep(upload)
    }

    /// Blocks.
    func delete(id: String) throws {
        load()
        let upload = try state.withLock { state in
            guard let upload = state.uploads[id] else {
                throw UploadError.unknownUpload
            }
            guard !state.locked.contains(id) else { throw Self.lockedError }
            state.forget(id)
            return upload
        }
        if !upload.isFinished { try file(of: upload).delete() }
        unlink(path(id))
    }

    /// Gives up what nobody has sent anything of for a day. Blocks.
    func expire() {
        let elapsed = elapsed()
        let expired = state.withLock { state in
            var expired = state.uploads.values.filter { upload in
                (state.deadlines[upload.id] ?? .zero) <= elapsed && !state.locked.contains(upload.id)
            }
            let finished = state.uploads.values.filter(\.isFinished).sorted { $0.expiresAt < $1.expiresAt }
            expired += finished.prefix(max(0, finished.count - Self.maximumFinishedCount))
            for upload in expired { state.forget(upload.id) }
            return expired
        }
        for upload in expired {
            if !upload.isFinished { try? file(of: upload).delete() }
            unlink(path(upload.id))
        }
    }

    // MARK: Sending

    private static let lockedError = UploadError(
        .locked, "another connection is sending this file; try again in a moment")

    /// Takes the upload for one connection, which has to ``end(_:)`` it. Blocks.
    ///
    /// - Throws: ``UploadError``
    func begin(id: String, offset: Int64, checksum: UploadChecksum?) throws -> UploadWriter {
        guard status(id: id) != nil else {
            throw UploadError.unknownUpload
        }
        try state.withLock { state in
            guard state.locked.insert(id).inserted else { throw Self.lockedError }
        }
        do {
            guard let (known, onDisk) = status(id: id) else {
                throw UploadError.unknownUpload
            }
            var upload = known
            guard offset == onDisk, !upload.isFinished else {
                throw UploadError(.offsetMismatch, "the server has \(onDisk) bytes, not \(offset)")
            }
            if upload.verifiedByteCount != nil {
                try dropUnverified(upload)
                upload.verifiedByteCount = nil
            }
            if checksum != nil {
                upload.verifiedByteCount = offset
                try keep(upload)
            }
            return try UploadWriter(upload: upload, file: file(of: upload), offset: offset, checksum: checksum)
        } catch {
            unlock(id)
            throw error
        }
    }

    /// What has come stays, unless its checksum is another or was not reached. Blocks.
    ///
    /// - Parameter isComplete: whether the client has sent all that it wanted to send at once.
    /// - Returns: how many bytes there are now.
    /// - Throws: ``UploadError``
    func end(_ writer: UploadWriter, isComplete: Bool) throws -> Int64 {
        defer { unlock(writer.upload.id) }
        var upload = writer.upload
        let isRight = writer.close(isComplete: isComplete)
        let offset = isRight ? writer.offset : writer.beginning
        if !isRight { try file(of: upload).truncate(to: offset) }
        upload.verifiedByteCount = nil
        upload.expiresAt = now().addingTimeInterval(Self.maximumAge)
        state.withLock { $0.deadlines[upload.id] = elapsed() + .seconds(Self.maximumAge) }
        try keep(upload)
        if !isRight, isComplete {
            throw UploadError(.checksumMismatch, "the bytes have another checksum; send them again")
        }
        return offset
    }

    func finished(id: String, section: LibrarySection, subject: String) throws {
        guard var upload = state.withLock({ $0.uploads[id] }) else { return }
        upload.section = section.rawValue
        upload.subject = subject
        try keep(upload)
    }

    private func unlock(_ id: String) { state.withLock { _ = $0.locked.remove(id) } }

    // MARK: Files

    /// Of downloads that nobody goes on with.
    func deleteNotes(keeping ids: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasSuffix(".note") && !ids.contains(String(name.dropLast(".note".count))) {
            unlink("\(folder)/\(name)")
        }
    }

    private func path(_ id: String) -> String { "\(folder)/\(id).json" }

    private func keep(_ upload: Upload) throws {
        state.withLock { state in
            state.uploads[upload.id] = upload
            if state.deadlines[upload.id] == nil { state.deadlines[upload.id] = elapsed() + .seconds(Self.maximumAge) }
        }
        try write(upload)
    }

    private func write(_ upload: Upload) throws {
        do {
            // Under another name first: a kill leaves the old one or the new one.
            try JSONEncoder().encode(upload).write(to: URL(filePath: path(upload.id)), options: .atomic)
        } catch {
            throw UploadError(.storage, "the upload cannot be recorded: \(FileErrorText(error))")
        }
    }
}

/// One connection's bytes on their way to the disk.
///
/// `@unchecked Sendable`: one connection's task uses it, one call at a time.
package final class UploadWriter: @unchecked Sendable {
    let upload: Upload
    let beginning: Int64
    private(set) var offset: Int64
    private var descriptor: Int32
    private let checksum: UploadChecksum?
    private var hasher: (any HashFunction)?

    init(upload: Upload, file: IncomingFile, offset: Int64, checksum: UploadChecksum?) throws {
        self.upload = upload
        self.offset = offset
        beginning = offset
        self.checksum = checksum
        hasher = checksum?.hasher()
        descriptor = open(file.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw IncomingFile.failure("it cannot be written") }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Blocks.
    ///
    /// - Throws: ``UploadError``
    func write(_ buffer: ByteBuffer) throws {
        guard offset + Int64(buffer.readableBytes) <= upload.byteCount else {
            throw UploadError(.tooLarge, "more bytes come than were announced (\(upload.byteCount))")
        }
        buffer.withUnsafeReadableBytes { hasher?.update(bufferPointer: $0) }
        let failure = DiskFile.write(buffer, to: descriptor, at: offset)
        guard failure == 0 else {
            throw UploadError(
                .storage, "the upload cannot be written to the disk: \(String(cString: strerror(failure)))")
        }
        offset += Int64(buffer.readableBytes)
    }

    /// - Returns: whether what has come may stay.
    func close(isComplete: Bool) -> Bool {
        Glibc.close(descriptor)
        descriptor = -1
        guard let checksum, let hasher else { return true }
        return isComplete && Self.digest(of: hasher) == checksum.digest
    }

    private static func digest(of hasher: some HashFunction) -> [UInt8] { Array(hasher.finalize()) }
}
