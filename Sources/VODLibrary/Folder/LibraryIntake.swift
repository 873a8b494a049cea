import Catalogue
import Foundation
import LibraryCore
import Logging
import LogMetadata
import MediaCore
import MediaFolders
import MediaIntake
import NIOPosix

/// Keeps the catalogue in line with files: takes new ones in, however they arrived, follows those that were moved,
/// starts replaced ones again, and removes the records of those that are gone.
///
/// Functions suspend often, and other calls run meanwhile. Each therefore looks at ``known`` again after a wait, every
/// write to the catalogue names the revision or file name that it replaces, and ``moving`` and ``deleting`` keep two
/// calls from moving or removing the same record.
actor LibraryIntake {
    let context: LibraryContext
    let known: KnownRecords
    let scans: ScanRequests
    /// IDs of records whose files are being renamed.
    var moving: Set<String> = []
    /// IDs of records that are being deleted. Their files may have gone already, but no copy takes their place.
    var deleting: [LibrarySection: Set<String>] = [:]

    init(context: LibraryContext, known: KnownRecords, scans: ScanRequests) {
        self.context = context
        self.known = known
        self.scans = scans
    }

    func folder(_ section: LibrarySection) -> MediaFolder {
        context.folder(section)
    }

    // MARK: Files come

    /// Takes a file into the library, however it arrived, unless the catalogue knows it.
    func takeIn(_ file: FoundFile, to section: LibrarySection, jobs: any FolderJobs) async throws -> IngestedItem {
        try await known.read(from: context.catalogue)
        if let moved = try await keepRecord(ofMovedFile: file, in: section) { return moved }
        return try await addNew(file, to: section, jobs: jobs)
    }

    @discardableResult
    private func addNew(
        _ file: FoundFile, to section: LibrarySection, jobs: any FolderJobs
    ) async throws -> IngestedItem {
        if section == .titles, let record = try await jobs.ingestAtOnce(file) { return .title(record) }
        return try await register(file, section: section, jobs: jobs)
    }

    /// Adds a record for a file and queues its job.
    ///
    /// - Returns: the record, new or known.
    private func register(
        _ file: FoundFile, section: LibrarySection, jobs: any FolderJobs
    ) async throws -> IngestedItem {
        let details = try await context.details(of: file, in: section)
        switch section {
        case .titles:
            let new = TitleRecord(of: file, described: details, addedAt: Date(context.wallClock.now()))
            let record = try await context.catalogue.add(new)
            await begin(record, in: section, jobs: jobs)
            return .title(record)
        case .tracks:
            let new = AudioTrackRecord(of: file, described: details, addedAt: Date(context.wallClock.now()))
            let record = try await context.catalogue.add(new)
            await begin(record, in: section, jobs: jobs)
            return .track(record)
        }
    }

    private func begin(_ record: some CatalogueRecord, in section: LibrarySection, jobs: any FolderJobs) async {
        // The job may be done already if the file was registered twice at the same time.
        known.noteUnlessKnown(record, in: section)
        guard !record.state.isFinal else { return }
        await jobs.queueIngest(of: record.id, fileName: record.file, in: section)
    }

    /// Limit on new titles that await their posters, because their records are in memory.
    private static let maximumAwaitingCount = 10_000

    // MARK: Files change

    /// Brings the catalogue up to date with the differences that a scan found.
    func apply(_ difference: LibraryDifference, to section: LibrarySection, jobs: any FolderJobs) async throws {
        // Checked before anything is removed, because a moved file keeps its record.
        let new = try await withoutMoved(difference, in: section, jobs: jobs)
        var namesByByteCount: [Int64: [String]]?
        for (id, name) in difference.vanished
        where known.record(ofFile: name, in: section)?.id == id && !moving.contains(id) && !new.mayBeMoved(id) {
            guard deleting[section]?.contains(id) != true else { continue }
            let names = namesByByteCount ?? self.namesByByteCount(in: section)
            namesByByteCount = names
            if try await handOver(id: id, of: name, toOneOf: names, in: section, jobs: jobs) { continue }
            try await remove(id: id, name: name, section: section, jobs: jobs)
        }
        for (index, file) in new.files.enumerated() {
            try await addNew(file, to: section, jobs: jobs)
            if index % Self.maximumAwaitingCount == Self.maximumAwaitingCount - 1 { try await jobs.queueAwaited() }
        }
        try await jobs.queueAwaited()
        for (id, file) in difference.changed { try await replace(id: id, with: file, section: section, jobs: jobs) }
        for (id, name) in difference.interrupted { await jobs.queueIngest(of: id, fileName: name, in: section) }
    }

    /// Ingests a file whose content was replaced: the record keeps its ID and starts again.
    func replace(id: String, with file: FoundFile, section: LibrarySection, jobs: any FolderJobs) async throws {
        let catalogue = context.catalogue
        switch section {
        case .titles:
            guard let old = try await catalogue.title(id: id) else { return }
            var record = old
            record.describeFile(try await context.details(of: file, in: section))
            record.startAgain(with: file)
            guard try await catalogue.update(record, from: old.revision) else { return }
            known.note(record, in: section)
            try await jobs.deleteLadders(ofTitle: id, mediaPath: old.mediaPath)
            await context.dropDerived(old.pathsInUse.filter { !record.pathsInUse.contains($0) })
        case .tracks:
            guard let old = try await catalogue.track(id: id) else { return }
            var record = old
            record.describeFile(try await context.details(of: file, in: section))
            record.startAgain(with: file)
            guard try await catalogue.update(record, from: old.revision) else { return }
            known.note(record, in: section)
            await context.dropDerived(old.pathsInUse.filter { !record.pathsInUse.contains($0) })
        }
        try await catalogue.removeDigest(in: section.rawValue, of: id)
        await context.dropStored(replacedBy: file)
        await jobs.queueIngest(of: id, fileName: file.name, in: section)
    }

    /// Removes a record and the files derived from it.
    func remove(id: String, name: String, section: LibrarySection, jobs: any FolderJobs) async throws {
        let catalogue = context.catalogue
        switch section {
        case .titles:
            let record = try await catalogue.title(id: id)
            try await catalogue.deleteTitle(id: id)
            try await jobs.deleteLadders(ofTitle: id, mediaPath: record?.mediaPath)
            await context.dropDerived(record?.pathsInUse ?? [])
        case .tracks:
            let record = try await catalogue.track(id: id)
            try await catalogue.deleteTrack(id: id)
            await context.dropDerived(record?.pathsInUse ?? [])
        }
        try await catalogue.removeDigest(in: section.rawValue, of: id)
        known.remove(file: name, in: section)
        context.logger.info(
            section == .titles ? "source file removed; title dropped" : "source file removed; track dropped",
            metadata: [.titleFile: "\(name)", .titleID: "\(id)"])
    }
}
