import Catalogue
import Foundation
import Logging
import MediaCore
import NIOPosix

/// Files that are renamed or moved. What somebody has chosen belongs to the content: the record keeps its id, its
/// encryption, its poster and its URLs, and only learns where its file lies now.
///
/// A file has moved when it has the size and the modification time of one that has gone, and, as far as its content has
/// been looked at, the same content. A copy is a copy: as long as the first file is there, the second is another title.
extension VODLibrary {
    /// New files of a scan that are not files which have moved.
    struct NewFiles {
        var files: [FoundFile] = []
        /// Sizes of those that may still be written to, and of records whose files have gone: the end of a copy that
        /// replaces its source.
        var unsettledByteCounts: Set<Int64> = []
        var byteCounts: [String: Int64] = [:]

        /// Whether a record may be that of a file which is not written to its end.
        func mayBeMoved(_ id: String) -> Bool { byteCounts[id].map(unsettledByteCounts.contains) ?? false }
    }

    /// Takes a file in that the catalogue may not know, by whichever way it came.
    func takeIn(_ file: FoundFile, to section: LibrarySection) async throws -> IngestedItem {
        try await readCatalogue()
        if let moved = try await keepRecord(ofMovedFile: file, in: section) { return moved }
        return try await addNew(file, to: section)
    }

    @discardableResult
    func addNew(_ file: FoundFile, to section: LibrarySection) async throws -> IngestedItem {
        if section == .titles, let record = try await ingestAtOnce(file) { return .title(record) }
        return try await register(file, section: section)
    }

    /// Gives the records of a scan's moved files their new names.
    func withoutMoved(_ difference: LibraryDifference, in section: LibrarySection) async throws -> NewFiles {
        var new = NewFiles()
        for file in difference.unsettled where try await keepRecord(ofMovedFile: file, in: section) == nil {
            new.unsettledByteCounts.insert(file.byteCount)
        }
        var rest: [FoundFile] = []
        for file in difference.added where try await keepRecord(ofMovedFile: file, in: section) == nil {
            rest.append(file)
        }
        var gone: [Int64: [String]] = [:]
        for name in difference.vanished.values.sorted() {
            if let record = known[section]?[name] { gone[record.byteCount, default: []].append(name) }
        }
        for file in rest {
            let isCopy = try await keepRecord(ofCopiedFile: file, insteadOf: gone[file.byteCount] ?? [], in: section)
            if !isCopy { new.files.append(file) }
        }
        for (id, name) in difference.vanished { new.byteCounts[id] = known[section]?[name]?.byteCount }
        return new
    }

    /// - Returns: the record; `nil` for a file that is not one which has gone from elsewhere.
    private func keepRecord(ofMovedFile file: FoundFile, in section: LibrarySection) async throws -> IngestedItem? {
        guard known[section]?[file.name] == nil, var names = known[section]?.names(ofRevision: file.revision),
            !names.isEmpty
        else { return nil }
        let folder = MediaFolder(section: section, configuration: configuration)
        // Of several alike, the one that has kept its name: a whole folder has moved.
        let last = file.name.lastPathComponent
        if names.count > Self.maximumCandidateCount {
            names = Set(names.filter { $0.lastPathComponent == last }.sorted().prefix(Self.maximumCandidateCount))
        }
        let gone = try await threadPool.runIfActive { [names] in names.filter(folder.hasGone) }
        let (sameName, otherName) = (
            gone.filter { $0.lastPathComponent == last }, gone.filter { $0.lastPathComponent != last }
        )
        for name in sameName.sorted() + otherName.sorted() {
            guard let record = known[section]?[name], record.revision == file.revision else { continue }
            let isOnly = gone.count == 1 || name.lastPathComponent == last
            guard try await hasContent(of: record, file, in: section, otherwise: isOnly) else { continue }
            if let item = try await move(record.id, from: name, to: file, in: section) { return item }
        }
        return nil
    }

    /// Names of one revision that the disk is asked about for each new file: thousands of links to one file are no work.
    private static let maximumCandidateCount = 256

    /// While the server was down, a file was copied and then deleted: the copy has another modification time.
    private func keepRecord(
        ofCopiedFile file: FoundFile, insteadOf names: [String], in section: LibrarySection
    ) async throws -> Bool {
        for name in names {
            guard let record = known[section]?[name],
                try await hasContent(of: record, file, in: section, otherwise: false),
                try await move(record.id, from: name, to: file, in: section) != nil
            else { continue }
            try await replace(id: record.id, with: file, section: section)
            return true
        }
        return false
    }

    /// - Parameter otherwise: the answer when the record's content was never looked at.
    func hasContent(
        of record: LibraryDifference.Known, _ file: FoundFile, in section: LibrarySection, otherwise: Bool
    ) async throws -> Bool {
        guard let digest = try await catalogue.digest(in: section.rawValue, of: record.id),
            digest.revision == record.revision
        else { return otherwise }
        let sample = try? await threadPool.runIfActive { try ContentSampling.sample(of: file.path) }
        return sample?.byteCount == digest.byteCount && sample?.digest == digest.sample
    }

    func move(
        _ id: String, from oldName: String, to file: FoundFile, in section: LibrarySection
    ) async throws -> IngestedItem? {
        // Somebody else has found it at the same moment.
        guard moving.insert(id).inserted else { return nil }
        defer { moving.remove(id) }
        switch section {
        case .titles:
            guard let old = try await catalogue.title(id: id), old.file == oldName,
                let new = try await catalogue.moveTitle(id: id, from: oldName, to: MovedFile(file, of: old))
            else { return nil }
            await noteMove(from: old, to: new, in: section)
            return .title(new)
        case .tracks:
            guard let old = try await catalogue.track(id: id), old.file == oldName,
                let new = try await catalogue.moveTrack(id: id, from: oldName, to: MovedFile(file, of: old))
            else { return nil }
            await noteMove(from: old, to: new, in: section)
            return .track(new)
        }
    }

    private func noteMove(
        from old: some CatalogueRecord, to new: some CatalogueRecord, in section: LibrarySection
    ) async {
        known[section]?[old.file] = nil
        known[section, default: KnownFiles()][new.file] = .init(new)
        if let path = old.mediaPath, let newPath = new.mediaPath { await cache.move(from: path, to: newPath) }
        // A job that was about to open it under its old name begins again.
        if !new.state.isFinal { sectionsToLookAt.insert(section) }
        logger.info(
            "file renamed; its id and what was chosen for it stay",
            metadata: ["title.id": "\(new.id)", "title.file": "\(new.file)", "title.formerFile": "\(old.file)"])
    }
}

extension MovedFile {
    /// A title that is called after its file is called after the new name.
    fileprivate init(_ file: FoundFile, of record: some CatalogueRecord) {
        let former = FileTitle(fileName: record.file)
        let title = FileTitle(fileName: file.name)
        let isNamedAfterFile = record.title == former.plain || record.title == former.qualified
        self.init(
            name: file.name, path: file.path,
            title: isNamedAfterFile ? (title.needsFolder ? title.qualified : title.plain) : nil)
    }
}

extension MediaFolder {
    /// Whether nothing has the name any longer, not even a link that leads nowhere. Blocks.
    func hasGone(_ name: String) -> Bool {
        var paths = ["\(path)/\(name)"]
        if let recordingsPath, let below = name.path(below: Self.recordingsPrefix) {
            paths.append("\(recordingsPath)/\(below)")
        }
        return paths.allSatisfy { path in
            var status = stat()
            return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
        }
    }
}
