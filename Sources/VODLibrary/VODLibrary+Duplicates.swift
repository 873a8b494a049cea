import Catalogue
import Foundation
import Logging
import MediaCore
import NIOPosix

/// Files with the same content. Nothing of it is done before a title plays: size and some bytes of each file are noted
/// afterwards, and only those files are read whole that this does not tell apart.
extension VODLibrary {
    /// Between two looks for files that have come.
    static let digestInterval = Duration.seconds(3)
    /// At a time: the first start with a large library takes its time, and not the disk.
    static let maximumDigestCount = 50

    func lookForDuplicatesInTurns() async {
        while !Task.isCancelled {
            for section in LibrarySection.allCases {
                do {
                    try await lookForDuplicates(in: section)
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning(
                        "search for duplicates failed",
                        metadata: ["folder": "\(section.rawValue)", "error": "\(FileErrorText(error))"])
                }
            }
            try? await clock.sleep(for: Self.digestInterval)
        }
    }

    func lookForDuplicates(in section: LibrarySection) async throws {
        guard undigestedSections.contains(section) else { return }
        let start = lastDigested[section] ?? 0
        let (files, last) = try await catalogue.undigestedFiles(
            in: section.rawValue, after: start, limit: Self.maximumDigestCount)
        let isLast = files.count < Self.maximumDigestCount
        lastDigested[section] = isLast ? 0 : last
        if isLast { undigestedSections.remove(section) }
        for file in files where unreadable[file.id] != file.revision {
            guard let digest = await sample(of: file, in: section) else {
                if unreadable.count >= MediaFolder.maximumFileCount { unreadable = [:] }
                unreadable[file.id] = file.revision
                continue
            }
            try await catalogue.write(digest)
            try await compare(digest, in: section)
        }
    }

    /// - Returns: `nil` where the file cannot be read, or is another one now, of which the next look at the folder tells.
    private func sample(of file: UndigestedFile, in section: LibrarySection) async -> ContentDigest? {
        try? await threadPool.runIfActive {
            let (byteCount, digest) = try ContentSampling.sample(of: file.sourcePath)
            guard FoundFile.revision(ofFileAt: file.sourcePath) == file.revision else {
                throw LibraryError(.noSuchFile, "it has been replaced")
            }
            return ContentDigest(
                section: section.rawValue, subject: file.id, revision: file.revision, byteCount: byteCount,
                sample: digest)
        }
    }

    private func compare(_ digest: ContentDigest, in section: LibrarySection) async throws {
        let originals = try await catalogue.digests(like: digest)
        guard !originals.isEmpty, let whole = try await whole(of: digest, in: section) else { return }
        for original in originals {
            guard try await self.whole(of: original, in: section) == whole else { continue }
            try await catalogue.noteDuplicate(in: section.rawValue, digest.subject, of: original.subject)
            return logger.info(
                "file has the same content as another one",
                metadata: ["title.id": "\(digest.subject)", "title.original": "\(original.subject)"])
        }
    }

    /// - Returns: `nil` where the file cannot be read, or is another one now.
    private func whole(of digest: ContentDigest, in section: LibrarySection) async throws -> String? {
        if let whole = digest.whole { return whole }
        guard let path = try await sourcePath(of: digest, in: section) else { return nil }
        let whole = try? await ContentSampling.digest(of: path)
        try Task.checkCancellation()
        guard let whole,
            try await threadPool.runIfActive({ FoundFile.revision(ofFileAt: path) }) == digest.revision
        else { return nil }
        var digest = digest
        digest.whole = whole
        try await catalogue.write(digest)
        return whole
    }

    private func sourcePath(of digest: ContentDigest, in section: LibrarySection) async throws -> String? {
        switch section {
        case .titles: try await catalogue.title(id: digest.subject)?.sourcePath
        case .tracks: try await catalogue.track(id: digest.subject)?.sourcePath
        }
    }
}
