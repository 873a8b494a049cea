import Catalogue
import Foundation
import LibraryCore
import Logging
import LogMetadata
import MediaCore
import MediaFolders
import NIOPosix

/// Detects files with the same content. Nothing is done before a title plays: size and samples of each file are stored
/// afterwards, and only files with equal samples are read completely.
actor DuplicateSearch {
    private let context: LibraryContext
    private let known: KnownRecords
    /// The ``KnownRecords/readyCount(in:)`` of sections whose ready files have all been checked.
    private var checkedReadyCounts: [LibrarySection: Int] = [:]
    /// Row numbers up to which files have been checked.
    private var lastDigested: [LibrarySection: Int64] = [:]
    /// Revisions of files that could not be read, keyed by ID.
    private(set) var unreadable: [String: String] = [:]

    /// Interval between two searches for new files.
    static let digestInterval = Duration.seconds(3)
    /// Limit on the files examined at a time, so that the first start with a large library takes its time rather than
    /// the disk.
    static let maximumDigestCount = 50

    init(context: LibraryContext, known: KnownRecords) {
        self.context = context
        self.known = known
    }

    /// Returns whether the section may have ready files that have not been checked.
    func hasUnchecked(in section: LibrarySection) -> Bool {
        checkedReadyCounts[section] != known.readyCount(in: section)
    }

    /// Searches at intervals until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            for section in LibrarySection.allCases {
                do {
                    try await search(section)
                } catch is CancellationError {
                    return
                } catch {
                    context.logger.warning(
                        "search for duplicates failed; will retry",
                        metadata: [.section: "\(section.rawValue)", .error: "\(FileErrorText(error))"])
                }
            }
            try? await context.clock.sleep(for: Self.digestInterval)
        }
    }

    /// Checks the next files of a section.
    func search(_ section: LibrarySection) async throws {
        guard hasUnchecked(in: section) else { return }
        // Read before the catalogue is, so that a file that becomes ready meanwhile is looked for the next time.
        let readyCount = known.readyCount(in: section)
        let start = lastDigested[section] ?? 0
        let (files, last) = try await context.catalogue.undigestedFiles(
            in: section.rawValue, after: start, limit: Self.maximumDigestCount)
        let isLast = files.count < Self.maximumDigestCount
        lastDigested[section] = isLast ? 0 : last
        if isLast { checkedReadyCounts[section] = readyCount }
        for file in files where unreadable[file.id] != file.revision {
            guard let digest = await sample(of: file, in: section) else {
                if unreadable.count >= MediaFolder.maximumFileCount { unreadable = [:] }
                unreadable[file.id] = file.revision
                continue
            }
            try await context.catalogue.write(digest)
            try await compare(digest, in: section)
        }
    }

    /// Samples a file.
    ///
    /// - Returns: `nil` if the file cannot be read, or has been replaced; the next scan notices a replaced file.
    private func sample(of file: UndigestedFile, in section: LibrarySection) async -> ContentDigest? {
        try? await context.threadPool.runIfActive {
            let (byteCount, digest) = try ContentSampling.sample(of: file.sourcePath)
            guard FoundFile.revision(ofFileAt: file.sourcePath) == file.revision else {
                throw LibraryError(.noSuchFile, "the file has been replaced")
            }
            return ContentDigest(
                section: section.rawValue, subject: file.id, revision: file.revision, byteCount: byteCount,
                sample: digest)
        }
    }

    private func compare(_ digest: ContentDigest, in section: LibrarySection) async throws {
        let originals = try await context.catalogue.digests(like: digest)
        guard !originals.isEmpty, let whole = try await whole(of: digest, in: section) else { return }
        for original in originals {
            guard try await self.whole(of: original, in: section) == whole else { continue }
            try await context.catalogue.noteDuplicate(in: section.rawValue, digest.subject, of: original.subject)
            return context.logger.info(
                "file has the same content as another one",
                metadata: [.titleID: "\(digest.subject)", .originalTitleID: "\(original.subject)"])
        }
    }

    /// The digest of the whole file.
    ///
    /// - Returns: `nil` if the file cannot be read, or has been replaced.
    private func whole(of digest: ContentDigest, in section: LibrarySection) async throws -> String? {
        if let whole = digest.whole { return whole }
        guard let path = try await sourcePath(of: digest, in: section) else { return nil }
        let whole = try? await ContentSampling.digest(of: path)
        try Task.checkCancellation()
        guard let whole,
            try await context.threadPool.runIfActive({ FoundFile.revision(ofFileAt: path) }) == digest.revision
        else { return nil }
        var digest = digest
        digest.whole = whole
        try await context.catalogue.write(digest)
        return whole
    }

    private func sourcePath(of digest: ContentDigest, in section: LibrarySection) async throws -> String? {
        switch section {
        case .titles: try await context.catalogue.title(id: digest.subject)?.sourcePath
        case .tracks: try await context.catalogue.track(id: digest.subject)?.sourcePath
        }
    }
}
