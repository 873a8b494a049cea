import Foundation
import LibraryCore
package import LibraryStorage
import MediaCore
import NIOCore
package import NIOPosix
import Packaging

/// Writes the received bytes to the disk, each at its position in the file.
///
/// `@unchecked Sendable`: only one job's task uses it, one call at a time.
package final class ImportReceiver: @unchecked Sendable {
    private let id: String
    private let notePath: String
    private let mediaDirectory: String
    private let stored: StoredFiles?
    private let threadPool: NIOThreadPool
    /// Reports the number of bytes received and of the whole file.
    private let report: @Sendable (Int64, Int64) async -> Void
    private var note: ImportNote?
    /// Size of the whole file in bytes, from the latest response; `nil` if it is not known.
    private var announced: Int64?
    private var lastReport: ContinuousClock.Instant?

    /// Reads what an earlier attempt has noted.
    ///
    /// - Parameters:
    ///   - id: the identifier in the names of the import's files.
    ///   - notePath: the path of the file that keeps what has to be known to resume.
    ///   - mediaDirectory: the media folder.
    ///   - stored: the files in the media store, whose names are taken.
    ///   - threadPool: the threads that wait for the disk.
    ///   - report: told the number of bytes received and of the whole file, a few times per second.
    package init(
        id: String, notePath: String, mediaDirectory: String, stored: StoredFiles?, threadPool: NIOThreadPool,
        report: @escaping @Sendable (Int64, Int64) async -> Void
    ) async throws {
        self.id = id
        self.notePath = notePath
        self.mediaDirectory = mediaDirectory
        self.stored = stored
        self.threadPool = threadPool
        self.report = report
        note = try await threadPool.runIfActive {
            (try? Data(contentsOf: URL(filePath: notePath))).flatMap {
                try? JSONDecoder().decode(ImportNote.self, from: $0)
            }
        }
    }

    private func file(_ name: ReceivedName) -> ReceivedFile {
        ReceivedFile(section: name.section, mediaDirectory: mediaDirectory, stored: stored, id: id)
    }

    /// The validator of the received bytes; `nil` if the origin does not tell versions apart, so that nothing can be
    /// resumed.
    package var validator: String? { note?.validator }

    /// Number of received bytes that can be resumed.
    package var byteCount: Int64 {
        get async throws {
            guard let note, note.validator != nil, let name = try? ReceivedName(note.name) else { return 0 }
            let file = file(name)
            return try await threadPool.runIfActive { file.byteCount } ?? 0
        }
    }

    /// True if as many bytes have arrived as the latest response announced.
    package var isComplete: Bool {
        get async throws {
            guard let announced, let (file, _) = try? result() else { return false }
            return try await threadPool.runIfActive { file.byteCount } == announced
        }
    }

    /// The received file, and its name.
    ///
    /// - Throws: `LibraryError` if nothing was received.
    package func result() throws -> (ReceivedFile, ReceivedName) {
        guard let note else { throw LibraryError(.storage, "nothing was received") }
        let name = try ReceivedName(note.name)
        return (file(name), name)
    }

    /// Writes the bytes of a response.
    ///
    /// - Throws: `LibraryError` if another attempt would fail as well; any other error if the bytes end too early.
    package func receive(_ response: RemoteResponse) async throws {
        let name = try ReceivedName(response.name)
        let maximum = UploadStore.maximumByteCount
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
            guard descriptor >= 0 else { throw ReceivedFile.failure("the file cannot be written") }
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

    private func begin(_ file: ReceivedFile, _ name: ReceivedName, _ response: RemoteResponse) throws {
        // Deletes the file of an earlier attempt, which may have had another name.
        if let note, let old = try? ReceivedName(note.name) { self.file(old).delete() }
        try file.create()
        if let byteCount = response.byteCount {
            try MediaImport.checkFreeSpace(for: name.text, byteCount: byteCount, in: file.folder)
        }
        let note = ImportNote(name: name.text, validator: response.validator)
        let folder = URL(filePath: notePath).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileReplacement.write(
            [UInt8](try JSONEncoder().encode(note)), to: notePath, permissions: 0o644, durability: .inCache)
        self.note = note
    }

    private static func write(_ piece: ByteBuffer, to descriptor: Int32, at offset: Int64) throws {
        let failure = DiskFile.write(piece, to: descriptor, at: offset)
        guard failure == 0 else {
            throw ReceivedFile.failure("the import cannot be written to the disk", number: failure)
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
