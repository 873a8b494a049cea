import Catalogue
import Foundation
import Logging
import NIOPosix

extension VODLibrary {
    /// Scans a section: new files are registered, changed ones ingested again, and removed ones dropped.
    func scan(_ section: LibrarySection) async throws {
        try await readCatalogue()
        try await queueAwaitedPosters()
        let folder = MediaFolder(section: section, configuration: configuration)
        var listing = try await threadPool.runIfActive { try folder.listing() }
        let seen = Set(listing.files.map(\.name))
        if (known[section] ?? KnownFiles()).names.contains(where: { !seen.contains($0) && listing.couldSee($0) }) {
            // A file that is renamed while the folders are read may be seen under neither name. It is missing only if a
            // second scan does not find it either.
            listing = try await threadPool.runIfActive { try folder.listing() }
        }
        report(listing.unreachable, in: section)
        report(misplaced: listing.misplaced, in: section)
        let busy = await queue.busyIDs(in: section)
        // Read after the last wait, so that it is the state from which the writes below start.
        var difference = difference(listing, in: section, busy: busy)
        difference.vanished = difference.vanished.filter { !seen.contains($0.value) }
        try await apply(difference, to: section)
    }

    /// Brings the catalogue up to date with the differences that a scan found.
    func apply(_ difference: LibraryDifference, to section: LibrarySection) async throws {
        // Checked before anything is removed, because a moved file keeps its record.
        let new = try await withoutMoved(difference, in: section)
        var namesByByteCount: [Int64: [String]]?
        for (id, name) in difference.vanished
        where known[section]?[name]?.id == id && !moving.contains(id) && !new.mayBeMoved(id) {
            guard deleting[section]?.contains(id) != true else { continue }
            let names = namesByByteCount ?? self.namesByByteCount(in: section)
            namesByByteCount = names
            if try await handOver(id: id, of: name, toOneOf: names, in: section) { continue }
            try await remove(id: id, name: name, section: section)
        }
        for file in new.files { try await addNew(file, to: section) }
        try await queueAwaitedPosters()
        for (id, file) in difference.changed { try await replace(id: id, with: file, section: section) }
        for (id, name) in difference.interrupted {
            await enqueue(IngestJob(section: section, id: id, fileName: name))
        }
    }

    private func difference(
        _ listing: FolderListing, in section: LibrarySection, busy: Set<String>
    ) -> LibraryDifference {
        var settling = settling[section] ?? FileSettling()
        settling.beginLook()
        let now = now()
        let difference = LibraryDifference(
            listing: listing, known: known[section]?.byName ?? [:],
            isSettled: { !isBeingWritten($0.name, in: section) && settling.isSettled($0, now: now) },
            isBusy: busy.contains)
        self.settling[section] = settling
        if settling.isUndecided { sectionsToLookAt.insert(section) }
        return difference
    }

    /// Reports unreachable folders in the log, once, and again when they change.
    private func report(_ found: [FolderListing.Unreachable], in section: LibrarySection) {
        guard found != unreachable[section] ?? [] else { return }
        unreachable[section] = found
        guard let first = found.first else {
            logger.info("media folder can be read completely again", metadata: ["folder": "\(section.rawValue)"])
            return
        }
        logger.warning(
            "media folder cannot be read completely; titles in the unreadable part are kept as they are",
            metadata: [
                "folder": "\(section.rawValue)", "name": "\(first.name)", "reason": "\(first.reason)",
                "count": "\(found.count)",
            ])
    }

    /// Reports each misplaced file once, because nothing else says why it does not appear.
    private func report(misplaced names: [String], in section: LibrarySection) {
        let reported = Set(misplaced[section] ?? [])
        misplaced[section] = names
        for name in names where !reported.contains(name) {
            logger.warning(
                "media file is in the wrong section and was not taken; move it",
                metadata: [
                    "title.file": "\(section.rawValue)/\(name)", "section": "\(section.other.rawValue)",
                ])
        }
    }

    /// Media files in the wrong section, relative to the media folder, each with the section to which it belongs.
    package func misplacedFiles() -> [MisplacedFile] {
        LibrarySection.allCases.flatMap { section in
            (misplaced[section] ?? []).map {
                MisplacedFile(file: "\(section.rawValue)/\($0)", section: section.other)
            }
        }
    }

    /// Reads the catalogue once. Every write is noted in `known`, so that scans need not read it again.
    func readCatalogue() async throws {
        guard !hasReadCatalogue else { return }
        let titles = try await catalogue.allTitles()
        let tracks = try await catalogue.allTracks()
        guard !hasReadCatalogue else { return }
        hasReadCatalogue = true
        // Records noted meanwhile are newer.
        for title in titles where known[.titles]?[title.file] == nil {
            known[.titles, default: KnownFiles()][title.file] = .init(title)
        }
        for track in tracks where known[.tracks]?[track.file] == nil {
            known[.tracks, default: KnownFiles()][track.file] = .init(track)
        }
    }

    func note(_ record: some CatalogueRecord, in section: LibrarySection) {
        known[section, default: KnownFiles()][record.file] = .init(record)
        guard record.state == .ready else { return }
        undigestedSections.insert(section)
        if section == .titles { (mayNeedStoryboards, lastStoryboarded) = (true, 0) }
    }

    // MARK: Records come and go

    /// Adds a record for a file and queues its job.
    ///
    /// - Returns: the record, new or known.
    func register(_ file: FoundFile, section: LibrarySection) async throws -> IngestedItem {
        switch section {
        case .titles:
            let name = try await name(of: file, in: section)
            let record = try await catalogue.add(TitleRecord(of: file, named: name, addedAt: now()))
            await begin(record, in: section)
            return .title(record)
        case .tracks:
            let name = try await name(of: file, in: section)
            let record = try await catalogue.add(AudioTrackRecord(of: file, named: name, addedAt: now()))
            await begin(record, in: section)
            return .track(record)
        }
    }

    /// Notes a record that was added, and queues its job.
    func begin(_ record: some CatalogueRecord, in section: LibrarySection) async {
        // The job may be done already if the file was registered twice at the same time.
        if known[section]?[record.file] == nil { note(record, in: section) }
        guard !record.state.isFinal else { return }
        await enqueue(IngestJob(section: section, id: record.id, fileName: record.file))
    }

    /// Ingests a file whose content was replaced: the record keeps its ID and starts again.
    func replace(id: String, with file: FoundFile, section: LibrarySection) async throws {
        switch section {
        case .titles:
            guard let old = try await catalogue.title(id: id) else { return }
            var record = old
            record.title = try await name(of: file, in: section)
            record.startAgain(with: file)
            guard try await catalogue.update(record, from: old.revision) else { return }
            note(record, in: section)
            try await forgetLadders(ofTitle: id, mediaPath: old.mediaPath)
            await dropDerived(old.pathsInUse.filter { !record.pathsInUse.contains($0) })
        case .tracks:
            guard let old = try await catalogue.track(id: id) else { return }
            var record = old
            record.title = try await name(of: file, in: section)
            record.startAgain(with: file)
            guard try await catalogue.update(record, from: old.revision) else { return }
            note(record, in: section)
            await dropDerived(old.pathsInUse)
        }
        try await catalogue.forgetDigest(in: section.rawValue, of: id)
        await enqueue(IngestJob(section: section, id: id, fileName: file.name))
    }

    /// Removes a record and the files derived from it.
    func remove(id: String, name: String, section: LibrarySection) async throws {
        switch section {
        case .titles:
            let record = try await catalogue.title(id: id)
            try await catalogue.deleteTitle(id: id)
            try await forgetLadders(ofTitle: id, mediaPath: record?.mediaPath)
            await dropDerived(record?.pathsInUse ?? [])
        case .tracks:
            let record = try await catalogue.track(id: id)
            try await catalogue.deleteTrack(id: id)
            await dropDerived(record?.pathsInUse ?? [])
        }
        try await catalogue.forgetDigest(in: section.rawValue, of: id)
        known[section]?[name] = nil
        logger.info(
            section == .titles ? "source file removed; title dropped" : "source file removed; track dropped",
            metadata: ["title.file": "\(name)", "title.id": "\(id)"])
    }

    /// Deletes derived files; a source is only closed.
    private func dropDerived(_ paths: [String]) async {
        for path in paths { await cache.forget(path: path) }
        await deleteDerived(paths)
    }

    /// Deletes derived files on a thread that may wait for the disk, because a storyboard's folder has many files.
    nonisolated func deleteDerived(_ paths: [String?]) async {
        let (derived, paths) = (derived, paths.compactMap(\.self))
        guard !paths.isEmpty else { return }
        await threadPool.runToEnd { for path in paths { derived.delete(path) } }
    }
}

extension LibraryDifference.Known {
    init(_ record: some CatalogueRecord) {
        self.init(id: record.id, revision: record.revision, isFinal: record.state.isFinal, byteCount: record.byteCount)
    }
}

extension TitleRecord {
    /// The paths of the playable file, which may be the source itself, and of the images derived from it.
    var pathsInUse: [String] {
        [mediaPath, mediaPath.map(TitleTexts.folder(ofMovieAt:)), poster, uploadedPoster, storyboard].compactMap(\.self)
    }

    /// A new record in state `queued`.
    init(of file: FoundFile, named name: String, addedAt: Date) {
        self.init(
            id: "", title: name, file: file.name, sourcePath: file.path,
            byteCount: file.byteCount, modifiedAt: file.modifiedAt, revision: file.revision, addedAt: addedAt)
    }

    fileprivate mutating func startAgain(with file: FoundFile) {
        state = .queued
        progress = nil
        error = nil
        mediaPath = nil
        // A poster that an operator uploaded suits every file.
        poster = uploadedPoster
        storyboard = nil
        leftOut = nil
        describe(file)
    }
}

extension AudioTrackRecord {
    var pathsInUse: [String] { [mediaPath, cover].compactMap(\.self) }

    fileprivate init(of file: FoundFile, named name: String, addedAt: Date) {
        self.init(
            id: "", title: name, file: file.name, sourcePath: file.path,
            byteCount: file.byteCount, modifiedAt: file.modifiedAt, revision: file.revision, addedAt: addedAt)
    }

    fileprivate mutating func startAgain(with file: FoundFile) {
        state = .queued
        error = nil
        mediaPath = nil
        cover = nil
        coverMediaType = nil
        describe(file)
    }
}

extension CatalogueRecord {
    /// Stores the properties of the source when it was read.
    mutating func describe(_ file: FoundFile) {
        sourcePath = file.path
        byteCount = file.byteCount
        modifiedAt = file.modifiedAt
        revision = file.revision
    }
}
