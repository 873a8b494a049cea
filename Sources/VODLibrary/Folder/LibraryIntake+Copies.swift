import Catalogue
import Foundation
import LibraryCore
import MediaCore
import MediaFolders
import NIOPosix

/// Files that were copied within the library and whose originals were deleted later: `mv` of a folder to another file
/// system copies all of it before it deletes the first file. The copies have become titles of their own by then.
extension LibraryIntake {
    /// The time after a copy became a title in which the deletion of its original makes it the replacement of the
    /// original. Moving a folder of films takes time; an original that is deleted on another day was a title of its
    /// own.
    static let copyReplacesOriginalPeriod = Duration.seconds(3_600)

    /// The names of the known files, grouped by size in bytes.
    func namesByByteCount(in section: LibrarySection) -> [Int64: [String]] {
        Dictionary(grouping: known.records(in: section)) { $0.value.byteCount }.mapValues { $0.map(\.key) }
    }

    /// Hands the record of a deleted file to its new copy, if there is one: ID, choices and URLs stay, and the copy's
    /// own record is removed.
    ///
    /// - Parameter copies: the names of all files, grouped by size in bytes.
    /// - Returns: false if the file has no such copy.
    func handOver(
        id: String, of name: String, toOneOf copies: [Int64: [String]], in section: LibrarySection,
        jobs: any FolderJobs
    ) async throws -> Bool {
        guard let record = known.record(ofFile: name, in: section),
            let original = try await copyableRecord(id: id, in: section, jobs: jobs)
        else { return false }
        let names = (copies[record.byteCount] ?? []).filter { $0 != name }.sorted()
        for copyName in names.prefix(Self.maximumCopyCount) {
            guard let known = known.record(ofFile: copyName, in: section),
                let copy = try await copyableRecord(id: known.id, in: section, jobs: jobs), !copy.hasChoices,
                let file = try await file(ofCopy: copy, madeAfter: original.addedAt, in: section),
                try await hasContent(of: record, file, in: section, otherwise: record.revision == file.revision)
            else { continue }
            try await jobs.cancelJobs(of: known.id, in: section)
            try await remove(id: known.id, name: copyName, section: section, jobs: jobs)
            guard try await move(id, from: name, to: file, in: section) != nil else { continue }
            if record.revision != file.revision {
                try await replace(id: id, with: file, section: section, jobs: jobs)
            }
            return true
        }
        return false
    }

    /// Limit on the candidates of one size, because each of them is compared. Without it, thousands of files of one
    /// size would be compared with as many others.
    static let maximumCopyCount = 32

    /// The properties of a title or track that the decision needs.
    private struct CopyableRecord {
        var file: String
        var addedAt: Date
        /// True if an operator has made choices for it, so that it is more than a copy.
        var hasChoices: Bool
    }

    private func copyableRecord(
        id: String, in section: LibrarySection, jobs: any FolderJobs
    ) async throws -> CopyableRecord? {
        switch section {
        case .titles:
            guard let title = try await context.catalogue.title(id: id) else { return nil }
            let hasLadderChoice = await jobs.hasLadderChoice(title.id)
            return CopyableRecord(
                file: title.file, addedAt: title.addedAt,
                hasChoices: title.posterTime != nil || title.uploadedPoster != nil
                    || context.configuration.hasChoice(title.id) || hasLadderChoice)
        case .tracks:
            return try await context.catalogue.track(id: id).map {
                CopyableRecord(file: $0.file, addedAt: $0.addedAt, hasChoices: $0.uploadedCover != nil)
            }
        }
    }

    /// The file of a copy.
    ///
    /// - Returns: `nil` if the file does not exist, existed before the original, or became a title too long ago.
    private func file(
        ofCopy copy: CopyableRecord, madeAfter date: Date, in section: LibrarySection
    ) async throws -> FoundFile? {
        let age = context.wallClock.now() - WallClockTime(copy.addedAt)
        guard copy.addedAt > date, age <= Self.copyReplacesOriginalPeriod else { return nil }
        let folder = folder(section)
        return try await context.threadPool.runIfActive {
            guard let file = folder.file(named: copy.file) else { return nil }
            var status = stat()
            guard stat(file.path, &status) == 0 else { return nil }
            // The change time cannot be set: it is that of the copy, whatever modification time the copy was given.
            return Double(status.st_ctim.tv_sec) >= date.timeIntervalSince1970.rounded(.down) ? file : nil
        }
    }
}
