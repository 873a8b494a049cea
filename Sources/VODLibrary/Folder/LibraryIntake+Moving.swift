import Catalogue
import Foundation
import LibraryCore
import LibraryDetails
import Logging
import LogMetadata
import MediaCore
import MediaFolders
import MediaIntake
import MediaWorker
import NIOPosix

/// Detects files that were renamed or moved. An operator's choices belong to the content: the record keeps its ID,
/// encryption, poster and URLs, and only the path of its file changes.
///
/// A file has moved if it has the size and the modification time of one that is gone, and, if its content has been
/// sampled, the same content. A copy is a title of its own as long as the first file exists.
extension LibraryIntake {
    /// New files of a scan that are not moved files.
    struct NewFiles {
        var files: [FoundFile] = []
        /// Sizes of files that may still be written to, which may be the copies of vanished files.
        var unsettledByteCounts: Set<Int64> = []
        var byteCounts: [String: Int64] = [:]

        /// Returns whether a record may belong to a file that is not completely written.
        func mayBeMoved(_ id: String) -> Bool { byteCounts[id].map(unsettledByteCounts.contains) ?? false }
    }

    /// Gives the records of a scan's moved files their new names, and returns the remaining files.
    func withoutMoved(
        _ difference: LibraryDifference, in section: LibrarySection, jobs: any FolderJobs
    ) async throws -> NewFiles {
        var new = NewFiles()
        for file in difference.unsettled where try await keepRecord(ofMovedFile: file, in: section) == nil {
            new.unsettledByteCounts.insert(file.byteCount)
        }
        var rest: [FoundFile] = []
        for file in difference.added where try await keepRecord(ofMovedFile: file, in: section) == nil {
            rest.append(file)
        }
        // The first names are at the end, where they are removed.
        var gone: [Int64: [String]] = [:]
        for name in difference.vanished.values.sorted(by: >) {
            guard let record = known.record(ofFile: name, in: section) else { continue }
            gone[record.byteCount, default: []].append(name)
        }
        for file in rest {
            let names = (gone[file.byteCount] ?? []).suffix(Self.maximumCopyCount).reversed()
            if let name = try await keepRecord(ofCopiedFile: file, insteadOf: Array(names), in: section, jobs: jobs) {
                if let index = gone[file.byteCount]?.lastIndex(of: name) { gone[file.byteCount]?.remove(at: index) }
            } else {
                new.files.append(file)
            }
        }
        for (id, name) in difference.vanished {
            new.byteCounts[id] = known.record(ofFile: name, in: section)?.byteCount
        }
        return new
    }

    /// Gives a record its new name if the file has moved.
    ///
    /// - Returns: the record; `nil` if the file is not a moved one.
    func keepRecord(ofMovedFile file: FoundFile, in section: LibrarySection) async throws -> IngestedItem? {
        guard known.record(ofFile: file.name, in: section) == nil else { return nil }
        var names = known.names(ofRevision: file.revision, in: section)
        guard !names.isEmpty else { return nil }
        let folder = folder(section)
        // If several are equal, the one that kept its name is preferred, because a whole folder may have moved.
        let last = file.name.lastPathComponent
        if names.count > Self.maximumCandidateCount {
            names = Set(names.filter { $0.lastPathComponent == last }.sorted().prefix(Self.maximumCandidateCount))
        }
        let gone = try await context.threadPool.runIfActive { [names] in names.filter(folder.hasGone) }
        let (sameName, otherName) = (
            gone.filter { $0.lastPathComponent == last }, gone.filter { $0.lastPathComponent != last }
        )
        for name in sameName.sorted() + otherName.sorted() {
            guard let record = known.record(ofFile: name, in: section), record.revision == file.revision else {
                continue
            }
            let isOnly = gone.count == 1 || name.lastPathComponent == last
            guard try await hasContent(of: record, file, in: section, otherwise: isOnly) else { continue }
            if let item = try await move(record.id, from: name, to: file, in: section) { return item }
        }
        return nil
    }

    /// Limit on names of one revision that are checked on the disk for each new file, so that thousands of links to one
    /// file cause no work.
    private static let maximumCandidateCount = 256

    /// Gives a record its new name if its file was copied and then deleted while the server was down: the copy has
    /// another modification time.
    ///
    /// - Returns: the name that the record had; `nil` if the file is not such a copy.
    private func keepRecord(
        ofCopiedFile file: FoundFile, insteadOf names: [String], in section: LibrarySection,
        jobs: any FolderJobs
    ) async throws -> String? {
        for name in names {
            guard let record = known.record(ofFile: name, in: section),
                try await hasContent(of: record, file, in: section, otherwise: false),
                try await move(record.id, from: name, to: file, in: section) != nil
            else { continue }
            try await replace(id: record.id, with: file, section: section, jobs: jobs)
            return name
        }
        return nil
    }

    /// Returns whether a file has the content of a record.
    ///
    /// - Parameter otherwise: the result if the record's content was never sampled.
    func hasContent(
        of record: KnownRecord, _ file: FoundFile, in section: LibrarySection, otherwise: Bool
    ) async throws -> Bool {
        guard let digest = try await context.catalogue.digest(in: section.rawValue, of: record.id),
            digest.revision == record.revision
        else { return otherwise }
        let sample = try? await context.threadPool.runIfActive { try ContentSampling.sample(of: file.path) }
        return sample?.byteCount == digest.byteCount && sample?.digest == digest.sample
    }

    func move(
        _ id: String, from oldName: String, to file: FoundFile, in section: LibrarySection
    ) async throws -> IngestedItem? {
        // Somebody else found the file at the same time.
        guard moving.insert(id).inserted else { return nil }
        defer { moving.remove(id) }
        switch section {
        case .titles:
            guard let old = try await context.catalogue.title(id: id), old.file == oldName,
                let new = try await context.catalogue.moveTitle(
                    id: id, from: oldName, to: MovedFile(file, of: old, in: section))
            else { return nil }
            await noteMove(from: old, to: new, in: section)
            return .title(new)
        case .tracks:
            guard let old = try await context.catalogue.track(id: id), old.file == oldName,
                let new = try await context.catalogue.moveTrack(
                    id: id, from: oldName, to: MovedFile(file, of: old, in: section))
            else { return nil }
            await noteMove(from: old, to: new, in: section)
            return .track(new)
        }
    }

    private func noteMove(
        from old: some CatalogueRecord, to new: some CatalogueRecord, in section: LibrarySection
    ) async {
        known.noteMove(from: old.file, to: new, in: section)
        if let path = old.mediaPath, let newPath = new.mediaPath { await context.cache.move(from: path, to: newPath) }
        // A job that was about to open the file under its old name begins again.
        if !new.state.isFinal { scans.insert(section) }
        context.logger.info(
            "file renamed; its ID and settings are kept",
            metadata: [.titleID: "\(new.id)", .titleFile: "\(new.file)", .formerTitleFile: "\(old.file)"])
    }
}

extension MovedFile {
    /// Gives a title that is named after its file the new name, with what the new folders say instead of the old ones.
    fileprivate init(_ file: FoundFile, of record: some CatalogueRecord, in section: LibrarySection) {
        let former = FileTitle(fileName: record.file)
        let title = FileTitle(fileName: file.name)
        let (formerly, named) = (
            NamedDetails(fileName: record.file, in: section), NamedDetails(fileName: file.name, in: section)
        )
        var details = record.fileDetails
        for field in formerly.details.fields where details[field] == formerly.details[field] { details[field] = nil }
        details = details.over(named.details)
        let name = record.fileDetails.text(.title)
        if name == former.plain || name == former.qualified || (name != nil && name == formerly.title) {
            details[.title] = .text(named.title ?? (title.needsFolder ? title.qualified : title.plain))
        }
        self.init(name: file.name, path: file.path, details: details == record.fileDetails ? nil : details)
    }
}
