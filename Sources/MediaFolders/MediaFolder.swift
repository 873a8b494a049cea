import Foundation
package import LibraryCore
package import LibraryStorage
import MediaCore

/// Lists a section of the media folder.
package struct MediaFolder: Sendable {
    let section: LibrarySection
    package let path: String
    /// The folder of recordings, whose names get ``recordingsPrefix``; `nil` for none.
    let recordingsPath: String?
    /// The files in the media store, which are listed as if they lay in the folder; `nil` for none.
    let stored: StoredFiles?

    /// Limit on the files of a section; a larger library needs another kind of storage than one folder tree.
    package static let maximumFileCount = 100_000
    /// Limit on the depth of folders. It bounds the work for an unusual tree.
    static let maximumDepth = 12
    static let maximumNameByteCount = 1_024
    /// Limit on the reported unreachable folders, so that a missing disk does not fill the log.
    static let maximumUnreachableCount = 1_000
    /// Limit on the files per section that are reported as passed over.
    static let maximumMisplacedCount = 100

    /// Deletes files directly in the sections' folders whose names show that they are no longer needed.
    ///
    /// - Returns: the number of deleted files.
    package static func deleteFiles(in mediaDirectory: String, where isUseless: (String) -> Bool) -> Int {
        var count = 0
        for section in LibrarySection.allCases {
            let path = MediaFolder(section: section, mediaDirectory: mediaDirectory).path
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where isUseless(name) {
                if unlink("\(path)/\(name)") == 0 { count += 1 }
            }
        }
        return count
    }

    package init(section: LibrarySection, mediaDirectory: String, stored: StoredFiles? = nil) {
        self.init(
            section: section, path: "\(mediaDirectory)/\(section.rawValue)", recordingsPath: nil, stored: stored)
    }

    init(section: LibrarySection, path: String, recordingsPath: String?, stored: StoredFiles? = nil) {
        self.section = section
        self.path = path
        self.recordingsPath = recordingsPath
        self.stored = stored
    }

    /// All files that this section takes. Hidden files, those under a temporary name, and those in systems' folders are
    /// left out.
    ///
    /// - Throws: `LibraryError` if there are too many files, or if most folders cannot be read.
    package func listing() throws -> FolderListing {
        var listing = try recordings()
        var visited: Set<DirectoryIdentity> = []
        var pending = [PendingFolder(name: "", depth: 0)]
        while let folder = pending.popLast() {
            try scan(folder, visited: &visited, listing: &listing, pending: &pending)
            guard listing.unreachable.count <= Self.maximumUnreachableCount else {
                throw LibraryError(.storage, "most of the media folder \(path) cannot be read")
            }
        }
        try addStored(to: &listing)
        return recordingsPath == nil ? listing : listing.withoutDoubles
    }

    private struct PendingFolder {
        var name: String
        var depth: Int

        /// The path of an entry, relative to the section's folder.
        func path(of entry: String) -> String { name.isEmpty ? entry : "\(name)/\(entry)" }
    }

    /// Recognizes links that lead back up, or to the same folder twice.
    private struct DirectoryIdentity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    private func scan(
        _ folder: PendingFolder, visited: inout Set<DirectoryIdentity>, listing: inout FolderListing,
        pending: inout [PendingFolder]
    ) throws {
        let folderPath = folder.name.isEmpty ? path : "\(path)/\(folder.name)"
        switch Self.entry(at: folderPath) {
        case .folder(let identity): guard visited.insert(identity).inserted else { return }
        case .unreachable(let reason):
            listing.unreachable.append(.init(name: folder.name, reason: reason))
            return
        case .file, .other:
            listing.unreachable.append(.init(name: folder.name, reason: "is no longer a folder"))
            return
        }
        guard let names = FolderNames(inFolder: folderPath) else {
            listing.unreachable.append(.init(name: folder.name, reason: "the folder cannot be read"))
            return
        }
        for entry in names.invalid where Self.takes(entry: entry) {
            passOver(folder.path(of: entry), .nameNotUTF8, in: &listing)
        }
        for entry in names.valid where Self.takes(entry: entry) {
            try take(folder.path(of: entry), depth: folder.depth, listing: &listing, pending: &pending)
        }
    }

    /// Takes a file or a folder that a scan has found.
    private func take(
        _ name: String, depth: Int, listing: inout FolderListing, pending: inout [PendingFolder]
    ) throws {
        guard name.utf8.count <= Self.maximumNameByteCount else { return passOver(name, .nameTooLong, in: &listing) }
        switch Self.entry(at: "\(path)/\(name)") {
        case .folder where depth < Self.maximumDepth: pending.append(PendingFolder(name: name, depth: depth + 1))
        case .folder: passOver(name, .tooDeep, in: &listing)
        case .file(let byteCount, let modificationTime):
            try take(name, byteCount: byteCount, modificationTime: modificationTime, listing: &listing)
        case .unreachable(let reason):
            // A name that was deleted since the folder was listed is not reported.
            if Self.hasName(at: "\(path)/\(name)") { listing.unreachable.append(.init(name: name, reason: reason)) }
        case .other where MediaKind(fileName: name.lastPathComponent) != nil: passOver(name, .notAFile, in: &listing)
        case .other: break
        }
    }

    private func take(
        _ name: String, byteCount: Int64, modificationTime: Int64, listing: inout FolderListing
    ) throws {
        let path = "\(path)/\(name)"
        guard let kind = MediaKind(fileName: name.lastPathComponent), kind != .playlist else {
            guard CompanionFiles.takes(name) else { return passOver(name, .unknownKind, in: &listing) }
            listing.companions.add(
                CompanionFiles.File(name: name, path: path, byteCount: byteCount, modificationTime: modificationTime))
            return
        }
        guard section.takes(kind) else { return passOver(name, .wrongFolder, in: &listing) }
        guard listing.files.count < Self.maximumFileCount else {
            throw LibraryError(.limitExceeded, "more than \(Self.maximumFileCount) files in \(self.path)")
        }
        listing.files.append(
            FoundFile(name: name, path: path, kind: kind, byteCount: byteCount, modificationTime: modificationTime))
    }

    /// Notes that a file or folder was passed over, unless nobody expects anything else.
    private func passOver(_ name: String, _ reason: MisplacedFile.Reason, in listing: inout FolderListing) {
        guard listing.misplaced.count < Self.maximumMisplacedCount,
            !ExpectedNames.isExpectedFile(name.lastPathComponent)
        else { return }
        listing.misplaced.append(
            MisplacedFile(file: name, reason: reason, section: reason == .wrongFolder ? section.other : nil))
    }

    /// Finds one file of the section; `nil` if it does not exist, or if the section does not take it.
    package func file(named name: String) -> FoundFile? {
        if let recording = recording(named: name) { return recording }
        guard name.utf8.count <= Self.maximumNameByteCount, name.pathComponents.allSatisfy(Self.takes(entry:)),
            let kind = MediaKind(fileName: name), section.takes(kind)
        else { return nil }
        guard case .file(let byteCount, let modificationTime) = Self.entry(at: "\(path)/\(name)") else {
            return storedFile(named: name, kind: kind)
        }
        return FoundFile(
            name: name, path: "\(path)/\(name)", kind: kind, byteCount: byteCount, modificationTime: modificationTime)
    }

    /// Returns whether an entry is considered: neither hidden, nor a file under a temporary name, nor a folder of a
    /// system.
    static func takes(entry: some StringProtocol) -> Bool {
        entry.utf8.first != UInt8(ascii: ".") && !entry.utf8.reversed().starts(with: ".part".utf8.reversed())
            && !ExpectedNames.isSystemFolder(entry)
    }

    private enum Entry {
        case folder(DirectoryIdentity)
        case file(byteCount: Int64, modificationTime: Int64)
        /// The name exists, but what it refers to cannot be read.
        case unreachable(reason: String)
        case other
    }

    private static func hasName(at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func entry(at path: String) -> Entry {
        var status = stat()
        guard stat(path, &status) == 0 else { return .unreachable(reason: String(cString: strerror(errno))) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder(DirectoryIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
        case S_IFREG:
            let time = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            return .file(byteCount: Int64(status.st_size), modificationTime: time)
        default: return .other
        }
    }
}
