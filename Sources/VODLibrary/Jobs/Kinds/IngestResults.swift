import Catalogue
import Foundation
import LibraryCore
import Logging
import LogMetadata
import MediaFolders
import NIOPosix

/// Writes the results of ingesting titles and tracks.
struct IngestResults: Sendable {
    let context: LibraryContext
    let known: KnownRecords
    let scans: ScanRequests

    /// Limit on attempts to write a result; a file is renamed once, perhaps twice, while its job writes the record.
    private static let maximumAttemptCount = 3

    /// Writes the result of a title's job. A file that was renamed meanwhile keeps its new name.
    ///
    /// - Returns: the record as written; `nil` if the title was deleted or replaced meanwhile.
    func write(_ result: TitleRecord, insteadOf record: TitleRecord) async throws -> TitleRecord? {
        let catalogue = context.catalogue
        return try await write(result, insteadOf: record, in: .titles) { result in
            try await catalogue.update(result, from: record.revision)
        } current: {
            try await catalogue.title(id: record.id)
        }
    }

    /// Writes the result of a track's job, in the same way as that of a title's.
    func write(
        _ result: AudioTrackRecord, insteadOf record: AudioTrackRecord
    ) async throws -> AudioTrackRecord? {
        let catalogue = context.catalogue
        return try await write(result, insteadOf: record, in: .tracks) { result in
            try await catalogue.update(result, from: record.revision)
        } current: {
            try await catalogue.track(id: record.id)
        }
    }

    private func write<Record: CatalogueRecord>(
        _ result: Record, insteadOf record: Record, in section: LibrarySection,
        update: (Record) async throws -> Bool, current: () async throws -> Record?
    ) async throws -> Record? {
        var result = result
        for _ in 0..<Self.maximumAttemptCount {
            if try await update(result) {
                known.note(result, in: section)
                return result
            }
            guard let current = try await current(), current.revision == record.revision, current.file != result.file
            else { return nil }
            result.follow(current)
        }
        return nil
    }

    /// Returns whether the file of a failed job is still in place. If it has been moved, it is ingested again.
    func isStillThere(_ name: String, in section: LibrarySection) async throws -> Bool {
        let folder = context.folder(section)
        if try await context.threadPool.runIfActive({ folder.file(named: name) }) != nil { return true }
        scans.insert(section)
        return false
    }

    /// Returns whether the server lacks the permission to read a file, so that its record waits for it.
    func isForbidden(_ file: FoundFile) async throws -> Bool {
        let isForbidden = context.files.isForbidden
        return try await context.threadPool.runIfActive { isForbidden(file.path) }
    }

    /// The reason why a file failed, as its record says it.
    func failureText(_ error: any Error, file: FoundFile) -> String {
        FailureText(error, file: file, directories: context.configuration.ownDirectories).description
    }

    /// Reports in the log that a file is ready, or why it is not.
    func log(file: String, id: String, error: String?, seconds: Double?) {
        var values: LogValues = [
            .titleFile: "\(file)", .titleID: "\(id)", .seconds: "\(seconds ?? 0)",
        ]
        if let error {
            values[.error] = "\(error)"
            context.logger.warning("media file cannot be played", metadata: values)
        } else {
            context.logger.info("media file ready to play", metadata: values)
        }
    }

    /// The reason that the record of a cancelled title or track gives.
    static func cancellationText(ofFile name: String) -> String {
        "\(name): stopped by an operator; retry the job with \"antena jobs retry\", or replace the file"
    }
}

extension CatalogueRecord {
    /// Adopts the file name of `current`, whose file has been renamed.
    fileprivate mutating func follow(_ current: Self) {
        if mediaPath == sourcePath { mediaPath = current.sourcePath }
        file = current.file
        sourcePath = current.sourcePath
    }
}
