import Foundation
import LibraryCore
package import LibraryStorage
package import MediaCore
import NIOCore
import NIOPosix
import Packaging
import Synchronization

/// The unfinished uploads, and for a while the finished ones. Their progress is what is on the disk, so a crash loses
/// only what was on the wire.
package final class UploadStore: Sendable {
    private struct State {
        var uploads: [String: Upload] = [:]
        var locked: Set<String> = []
        var isLoaded = false
        /// The times at which unfinished uploads expire, on a monotonic clock.
        var deadlines: [String: Duration] = [:]
        /// The last uploads that gave their places to others.
        var displaced: [String] = []

        /// Forgets an upload that gives its place to another.
        mutating func displace(_ upload: Upload) {
            remove(upload.id)
            displaced = Array(displaced.suffix(UploadStore.maximumDisplacedCount - 1)) + [upload.id]
        }

        /// The one of some uploads that has waited longest for bytes; `nil` if bytes arrive for all.
        ///
        /// - Parameter latest: the latest deadline of one that waits.
        func longestPaused(of uploads: [Upload], until latest: Duration) -> Upload? {
            func deadline(_ upload: Upload) -> Duration { deadlines[upload.id] ?? .zero }
            return uploads.filter { deadline($0) <= latest && !locked.contains($0.id) }
                .min { deadline($0) < deadline($1) }
        }

        mutating func remove(_ id: String) {
            uploads[id] = nil
            deadlines[id] = nil
        }
    }

    /// Limit on the size of an upload; the same as for a conversion's output.
    package static let maximumByteCount: Int64 = 256 << 30
    /// Limit on finished uploads that are remembered for clients that did not receive the last response.
    static let maximumFinishedCount = 256
    /// Limit on uploads that are remembered because they gave their places to others.
    static let maximumDisplacedCount = 256
    /// The time since the last byte after which an upload expires.
    static let maximumAge = Duration.seconds(86_400)
    /// The time since the last byte after which an upload gives its place to another one that needs it.
    static let maximumPause = Duration.seconds(600)
    /// The time that uploads are kept at least after a start: the date may have been set while the server was down, so
    /// nothing expires at once.
    static let minimumAgeAfterStart = Duration.seconds(3_600)

    private let folder: String
    private let mediaDirectory: String
    private let stored: StoredFiles?
    private let wallClock: WallClock
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - dataDirectory: the data folder, where the uploads are noted.
    ///   - mediaDirectory: the media folder, where their bytes lie.
    ///   - stored: the files in the media store, whose names are taken.
    ///   - wallClock: tells the date, for clients and for the next run.
    ///   - elapsed: the time since the start on a monotonic clock, which decides when uploads expire.
    package init(
        dataDirectory: String, mediaDirectory: String, stored: StoredFiles?, wallClock: WallClock,
        elapsed: @escaping @Sendable () -> Duration
    ) {
        folder = "\(dataDirectory)/uploads"
        self.mediaDirectory = mediaDirectory
        self.stored = stored
        self.wallClock = wallClock
        self.elapsed = elapsed
    }

    func file(of upload: Upload) throws -> ReceivedFile {
        ReceivedFile(
            section: try ReceivedName(upload.name).section, mediaDirectory: mediaDirectory, stored: stored,
            id: upload.id)
    }

    // MARK: Those there are

    /// Reads the uploads that an earlier run left. Blocks.
    package func load() {
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
                let rest = WallClockTime(upload.expiresAt) - wallClock.now()
                state.deadlines[upload.id] = elapsed() + min(max(rest, Self.minimumAgeAfterStart), Self.maximumAge)
            }
        }
    }

    /// The IDs of unfinished uploads, whose files must be kept.
    package var unfinishedIDs: Set<String> {
        state.withLock { state in Set(state.uploads.values.filter { !$0.isFinished }.map(\.id)) }
    }

    private static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Creates an upload. Blocks.
    ///
    /// If the sender has no place left, the upload that has waited longest for bytes is deleted, if it has waited for
    /// ten minutes.
    ///
    /// - Parameters:
    ///   - sender: whose place the upload takes.
    ///   - isResumable: `false` for an upload that a crash ends.
    /// - Throws: ``UploadError``, `LibraryError`
    func create(
        name: String, byteCount: Int64, from sender: UploadSender, isResumable: Bool = true
    ) throws -> Upload {
        load()
        let name = try ReceivedName(name)
        guard byteCount > 0 else { throw UploadError(.incomplete, "an empty file cannot be played") }
        guard byteCount <= Self.maximumByteCount else {
            throw UploadError(.tooLarge, "files are limited to \(Self.maximumByteCount >> 30) GiB")
        }
        expire()
        let upload = Upload(
            id: UUID().uuidString.replacing("-", with: "").lowercased(), name: name.text, byteCount: byteCount,
            expiresAt: Date(wallClock.now() + Self.maximumAge), isAtOnce: isResumable ? nil : true,
            member: sender.member)
        let file = try file(of: upload)
        let (others, displaced) = try state.withLock { state in
            let displaced = try makePlace(for: sender, &state)
            let others = state.uploads.values.filter { !$0.isFinished }
            state.uploads[upload.id] = upload
            state.deadlines[upload.id] = elapsed() + Self.maximumAge
            return (others, displaced)
        }
        displaced.forEach(drop)
        // Space that is promised to other uploads is not free.
        let promised = others.reduce(0) { sum, other in
            sum + other.promisedByteCount(after: (try? self.file(of: other).byteCount) ?? 0)
        }
        do {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try file.create()
            try MediaImport.checkFreeSpace(for: name.text, byteCount: byteCount + promised, in: file.folder)
            try write(upload)
        } catch {
            file.delete()
            state.withLock { $0.remove(upload.id) }
            throw error
        }
        return upload
    }

    /// Ends the uploads that give their places to a new one, as few as possible.
    ///
    /// - Returns: the uploads whose files have to be deleted.
    /// - Throws: ``UploadError`` if there is no place.
    private func makePlace(for sender: UploadSender, _ state: inout State) throws -> [Upload] {
        let unfinished = state.uploads.values.filter { !$0.isFinished && $0.sender.sharesPlaces(with: sender) }
        let own = unfinished.filter { $0.sender == sender }
        let isOwnLimit = own.count >= sender.maximumOwnCount
        guard isOwnLimit || unfinished.count >= UploadSender.maximumUnfinishedCount else { return [] }
        guard let displaced = state.longestPaused(of: isOwnLimit ? own : unfinished, until: latestPaused) else {
            throw UploadError(
                .tooMany,
                """
                \(isOwnLimit ? own.count : unfinished.count) uploads are still in progress; \
                finish or delete some, or try again in a few minutes
                """)
        }
        state.displace(displaced)
        return [displaced]
    }

    /// The deadline of an upload that has waited for bytes for ``maximumPause``.
    private var latestPaused: Duration { elapsed() + Self.maximumAge - Self.maximumPause }

    /// Ends the one of some uploads that has waited longest for bytes, if it has waited for ``maximumPause``. Blocks.
    ///
    /// - Parameter ids: the uploads; those of other servers are not touched.
    /// - Returns: the ID of the upload, or of one that has given its place to another before; `nil` if all go on.
    func endPaused(among ids: Set<String>) -> String? {
        load()
        let latest = latestPaused
        let (id, upload) = state.withLock { state -> (String?, Upload?) in
            if let index = state.displaced.firstIndex(where: ids.contains) {
                return (state.displaced.remove(at: index), nil)
            }
            let unfinished = state.uploads.values.filter { !$0.isFinished && ids.contains($0.id) }
            let paused = state.longestPaused(of: unfinished, until: latest)
            if let paused { state.remove(paused.id) }
            return (paused?.id, paused)
        }
        if let upload { drop(upload) }
        return id
    }

    /// Deletes what is left of an upload that is no longer known. Blocks.
    private func drop(_ upload: Upload) {
        if !upload.isFinished { try? file(of: upload).delete() }
        unlink(path(upload.id))
    }

    /// Finds an upload. Blocks.
    ///
    /// - Returns: the upload and the number of bytes received; `nil` if it does not exist or no longer exists.
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
        // While they arrive, and after a crash, bytes do not count before they have been verified.
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

    /// Deletes an upload and its file. Blocks.
    ///
    /// - Throws: ``UploadError`` if there is no such upload, or if a connection is sending.
    func delete(id: String) throws {
        load()
        let upload = try state.withLock { state in
            guard let upload = state.uploads[id] else {
                throw UploadError.unknownUpload
            }
            guard !state.locked.contains(id) else { throw Self.lockedError }
            state.remove(id)
            return upload
        }
        if !upload.isFinished { try file(of: upload).delete() }
        unlink(path(id))
    }

    /// Deletes uploads that have received nothing for a day. Blocks.
    package func expire() {
        let elapsed = elapsed()
        let expired = state.withLock { state in
            var expired = state.uploads.values.filter { upload in
                (state.deadlines[upload.id] ?? .zero) <= elapsed && !state.locked.contains(upload.id)
            }
            let finished = state.uploads.values.filter(\.isFinished).sorted { $0.expiresAt < $1.expiresAt }
            expired += finished.prefix(max(0, finished.count - Self.maximumFinishedCount))
            for upload in expired { state.remove(upload.id) }
            return expired
        }
        expired.forEach(drop)
    }

    // MARK: Sending

    private static let lockedError = UploadError(
        .locked, "another connection is sending this file; try again in a moment")

    /// Locks the upload for one connection, which has to call ``end(_:isComplete:)``. Blocks.
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

    /// Ends a connection's work on an upload. The received bytes are kept, unless their checksum does not match or
    /// could not be verified. Blocks.
    ///
    /// - Parameter isComplete: whether the client has sent the whole body of its request.
    /// - Returns: the number of bytes received so far.
    /// - Throws: ``UploadError``
    func end(_ writer: UploadWriter, isComplete: Bool) throws -> Int64 {
        defer { unlock(writer.upload.id) }
        var upload = writer.upload
        let isRight = writer.close(isComplete: isComplete)
        let offset = isRight ? writer.offset : writer.beginning
        if !isRight { try file(of: upload).truncate(to: offset) }
        upload.verifiedByteCount = nil
        upload.expiresAt = Date(wallClock.now() + Self.maximumAge)
        state.withLock { $0.deadlines[upload.id] = elapsed() + Self.maximumAge }
        try keep(upload)
        if !isRight, isComplete {
            throw UploadError(.checksumMismatch, "the checksum does not match; send the bytes again")
        }
        return offset
    }

    /// Marks an upload as finished, and stores the title or track that it became.
    func finished(id: String, section: LibrarySection, subject: String) throws {
        guard var upload = state.withLock({ $0.uploads[id] }) else { return }
        upload.section = section.rawValue
        upload.subject = subject
        try keep(upload)
    }

    private func unlock(_ id: String) { state.withLock { _ = $0.locked.remove(id) } }

    // MARK: Files

    /// Deletes the notes of imports that will not be resumed.
    package func deleteNotes(keeping ids: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasSuffix(".note") && !ids.contains(String(name.dropLast(".note".count))) {
            unlink("\(folder)/\(name)")
        }
    }

    private func path(_ id: String) -> String { "\(folder)/\(id).json" }

    private func keep(_ upload: Upload) throws {
        state.withLock { state in
            state.uploads[upload.id] = upload
            if state.deadlines[upload.id] == nil { state.deadlines[upload.id] = elapsed() + Self.maximumAge }
        }
        try write(upload)
    }

    private func write(_ upload: Upload) throws {
        do {
            // Written under another name first, so that a crash leaves either the old or the new file.
            try FileReplacement.write(
                [UInt8](try JSONEncoder().encode(upload)), to: path(upload.id), permissions: 0o644, durability: .inCache
            )
        } catch {
            throw UploadError(.storage, "the upload cannot be recorded: \(FileErrorText(error))")
        }
    }
}
