import Catalogue
import Foundation
import LibraryCore
import Logging
import LogMetadata
import MediaCore
import MediaFolders
import NIOPosix

/// Watches the media folder, and finds out how it differs from the catalogue; ``LibraryIntake`` brings the catalogue up
/// to date.
actor LibraryScanner {
    let context: LibraryContext
    let known: KnownRecords
    let scans: ScanRequests
    let intake: LibraryIntake
    let companions: CompanionReader
    let jobs: any FolderJobs
    /// Called regularly while the folder is watched, for work that is due whatever the folder holds.
    let housekeeping: @Sendable () async -> Void
    let trees: [WatchedTree]
    /// The watcher while it runs; `nil` if the system has none.
    var watcher: FolderWatcher?
    private(set) var settling: [LibrarySection: FileSettling] = [:]
    /// Times of the last scan of each section, while the folder is watched.
    var lastScans: [LibrarySection: ContinuousClock.Instant] = [:]
    /// Sections that are being scanned.
    var scanning: Set<LibrarySection> = []
    /// Media files in the wrong section that have been reported in the log, per section.
    private var misplaced: [LibrarySection: [String]] = [:]
    /// Unreachable folders that have been reported in the log, per section.
    private var unreachable: [LibrarySection: [FolderListing.Unreachable]] = [:]

    init(
        context: LibraryContext, intake: LibraryIntake, jobs: any FolderJobs,
        housekeeping: @escaping @Sendable () async -> Void
    ) {
        self.context = context
        self.intake = intake
        self.jobs = jobs
        self.housekeeping = housekeeping
        known = intake.known
        scans = intake.scans
        companions = CompanionReader(context: context, known: intake.known)
        trees = WatchedTree.all(
            mediaDirectory: context.configuration.mediaDirectory,
            recordingsDirectory: context.configuration.recordingsDirectory)
    }

    func folder(_ section: LibrarySection) -> MediaFolder {
        context.folder(section)
    }

    /// Scans a section: new files are registered, changed ones ingested again, and removed ones dropped.
    func scan(_ section: LibrarySection) async throws {
        try await known.read(from: context.catalogue)
        try await jobs.queueAwaited()
        let folder = folder(section)
        var listing = try await context.threadPool.runIfActive { try folder.listing() }
        let seen = Set(listing.files.map(\.name))
        if known.records(in: section).keys.contains(where: { !seen.contains($0) && listing.couldSee($0) }) {
            // A file that is renamed while the folders are read may be seen under neither name. It is missing only if a
            // second scan does not find it either.
            listing = try await context.threadPool.runIfActive { try folder.listing() }
        }
        report(listing.unreachable, in: section)
        report(misplaced: listing.misplaced, in: section)
        let busy = await jobs.busyIDs(in: section)
        // Compared after the last wait. What changes before the intake gets the difference is what it looks at again.
        var difference = difference(listing, in: section, busy: busy)
        difference.vanished = difference.vanished.filter { !seen.contains($0.value) }
        try await intake.apply(difference, to: section, jobs: jobs)
        for id in try await companions.read(listing, in: section) {
            try await jobs.queueImage(of: id, in: section)
        }
    }

    private func difference(
        _ listing: FolderListing, in section: LibrarySection, busy: Set<String>
    ) -> LibraryDifference {
        var settling = settling[section] ?? FileSettling()
        settling.beginScan()
        let now = context.wallClock.now()
        let difference = LibraryDifference(
            listing: listing, known: known.records(in: section),
            isSettled: { !isBeingWritten($0.name, in: section) && settling.isSettled($0, now: now) },
            isBusy: busy.contains)
        self.settling[section] = settling
        if settling.isUndecided { scans.insert(section) }
        return difference
    }

    /// Reports unreachable folders in the log, once, and again when they change.
    private func report(_ found: [FolderListing.Unreachable], in section: LibrarySection) {
        guard found != unreachable[section] ?? [] else { return }
        unreachable[section] = found
        guard let first = found.first else {
            context.logger.info(
                "media folder can be read completely again", metadata: [.section: "\(section.rawValue)"])
            return
        }
        context.logger.warning(
            "media folder cannot be read completely; titles in the unreadable part are kept as they are",
            metadata: [
                .section: "\(section.rawValue)", .file: "\(first.name)", .reason: "\(first.reason)",
                .count: "\(found.count)",
            ])
    }

    /// Reports each misplaced file once, because nothing else says why it does not appear.
    private func report(misplaced names: [String], in section: LibrarySection) {
        let reported = Set(misplaced[section] ?? [])
        misplaced[section] = names
        for name in names where !reported.contains(name) {
            context.logger.warning(
                "media file is in the wrong section and was not taken; move it",
                metadata: [
                    .titleFile: "\(section.rawValue)/\(name)", .section: "\(section.other.rawValue)",
                ])
        }
    }

    /// Media files in the wrong section, relative to the media folder, each with the section to which it belongs.
    func misplacedFiles() -> [MisplacedFile] {
        LibrarySection.allCases.flatMap { section in
            (misplaced[section] ?? []).map {
                MisplacedFile(file: "\(section.rawValue)/\($0)", section: section.other)
            }
        }
    }
}
