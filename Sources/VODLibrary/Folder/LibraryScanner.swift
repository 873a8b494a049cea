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
    /// Files that were passed over and have been reported in the log, per section.
    private var misplaced: [LibrarySection: [MisplacedFile]] = [:]
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
        let forbidden = try await forbidden(listing.files, in: section)
        let busy = await jobs.busyIDs(in: section)
        // Compared after the last wait. What changes before the intake gets the difference is what it looks at again.
        var difference = difference(listing, in: section, forbidden: forbidden, busy: busy)
        difference.vanished = difference.vanished.filter { !seen.contains($0.value) }
        try await intake.apply(difference, to: section, jobs: jobs)
        for id in try await companions.read(listing, in: section) {
            try await jobs.queueImage(of: id, in: section)
        }
    }

    private func difference(
        _ listing: FolderListing, in section: LibrarySection, forbidden: Set<String>, busy: Set<String>
    ) -> LibraryDifference {
        var settling = settling[section] ?? FileSettling()
        settling.beginScan()
        let now = context.wallClock.now()
        let difference = LibraryDifference(
            listing: listing, known: known.records(in: section), forbidden: forbidden,
            isSettled: { !isBeingWritten($0.name, in: section) && settling.isSettled($0, now: now) },
            isBusy: busy.contains)
        self.settling[section] = settling
        if settling.isUndecided { scans.insert(section) }
        return difference
    }

    /// The names of files that the server may still not read, among those that failed for that reason.
    func forbidden(_ files: [FoundFile], in section: LibrarySection) async throws -> Set<String> {
        let failed = files.filter { known.record(ofFile: $0.name, in: section)?.wasForbidden == true }
        guard !failed.isEmpty else { return [] }
        let isForbidden = context.files.isForbidden
        return try await context.threadPool.runIfActive {
            Set(failed.filter { isForbidden($0.path) }.map(\.name))
        }
    }

    /// Reports unreachable folders in the log, once, and again when they change.
    private func report(_ found: [FolderListing.Unreachable], in section: LibrarySection) {
        guard found != unreachable[section] ?? [] else { return }
        unreachable[section] = found
        guard let first = found.first else {
            context.logger.info(
                "media folder is fully readable again", metadata: [.section: "\(section.rawValue)"])
            return
        }
        context.logger.warning(
            "media folder is only partly readable; titles in the unreadable part are kept",
            metadata: [
                .section: "\(section.rawValue)", .file: "\(first.name)", .reason: "\(first.reason)",
                .count: "\(found.count)",
            ])
    }

    /// Reports each file that was passed over once, because nothing else says why it does not appear.
    private func report(misplaced files: [MisplacedFile], in section: LibrarySection) {
        let found = files.map { file in
            MisplacedFile(file: "\(section.rawValue)/\(file.file)", reason: file.reason, section: file.section)
        }
        let reported = Set(misplaced[section] ?? [])
        misplaced[section] = found
        for file in found where !reported.contains(file) {
            context.logger.warning(
                "file in the media folder skipped",
                metadata: [
                    .titleFile: "\(file.file)", .section: "\(section.rawValue)", .reason: "\(file.reason.rawValue)",
                ])
        }
    }

    /// Files in the media folder that were passed over, each with the reason.
    func misplacedFiles() -> [MisplacedFile] { LibrarySection.allCases.flatMap { misplaced[$0] ?? [] } }
}
