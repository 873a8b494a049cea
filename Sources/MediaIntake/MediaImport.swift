import Foundation
import LibraryCore
package import LibraryStorage
import MediaCore
import MediaFolders
import Packaging

/// Copies a file from elsewhere on this machine into the media folder, completely or not at all.
package struct MediaImport: Sendable {
    package let mediaDirectory: String
    /// The files in the media store, whose names are taken.
    private let stored: StoredFiles?

    /// Prefix of the names of incomplete copies.
    static let temporaryPrefix = ".antena-import-"
    /// Prefix of the copies of this run, which are being written; others are left from an earlier run.
    private static let ownPrefix = "\(temporaryPrefix)\(UUID().uuidString.prefix(8))-"
    /// Limit on names such as `film-2.mp4` that are tried.
    static let maximumNameCount = 10_000

    /// Limit on files that are copied while the caller waits; a larger file is a job. A disk copies this much in a
    /// second or less.
    static let maximumByteCountAtOnce: Int64 = 64 << 20

    /// - Parameters:
    ///   - mediaDirectory: the media folder.
    ///   - stored: the files in the media store; `nil` for none.
    package init(mediaDirectory: String, stored: StoredFiles? = nil) {
        self.mediaDirectory = mediaDirectory
        self.stored = stored
    }

    /// Returns whether the file has to be copied and copying takes long.
    package func takesLong(path: String) -> Bool {
        let name = path.lastPathComponent
        var status = stat()
        guard path.hasPrefix("/"), let kind = MediaKind(fileName: name), kind != .playlist, stat(path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) > Self.maximumByteCountAtOnce
        else { return false }
        let section = kind == .audio ? LibrarySection.tracks : .titles
        return Self.member(of: folder(section), path: path) == nil
    }

    /// Returns whether a file is one of the media folder, under whatever path.
    package func isInMediaFolder(path: String) -> Bool {
        LibrarySection.allCases.contains { Self.member(of: folder($0), path: path) != nil }
    }

    /// Copies a file into the media folder, unless it is there already.
    ///
    /// - Returns: the file as the scanner will find it, and its section.
    /// - Throws: `LibraryError` if the file is not accepted or cannot be copied.
    func importFile(path: String) throws -> (LibrarySection, FoundFile) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw LibraryError(.noSuchFile, "an absolute path is needed, not \(path)")
        }
        let name = path.lastPathComponent
        let source = try SourceFile(path: path, name: name)
        guard let kind = MediaKind(fileName: name) else {
            throw LibraryError(.notMedia, "\(name) has no file extension of a video or audio format")
        }
        guard kind != .playlist else {
            throw LibraryError(.notMedia, "\(name): a playlist refers to other files; only media files are opened")
        }
        let section = kind == .audio ? LibrarySection.tracks : .titles
        let folder = folder(section)
        if let file = Self.member(of: folder, path: path) { return (section, file) }
        return (section, try copy(source, into: folder))
    }

    private func folder(_ section: LibrarySection) -> MediaFolder {
        MediaFolder(section: section, mediaDirectory: mediaDirectory, stored: stored)
    }

    /// The file if it is in the folder already, by any path; `nil` otherwise.
    private static func member(of folder: MediaFolder, path: String) -> FoundFile? {
        func file(_ path: String, below folderPath: String) -> FoundFile? {
            guard let name = path.path(below: folderPath)?.pathComponents, !name.contains("..") else { return nil }
            return folder.file(named: name.joined(separator: "/"))
        }
        func canonical(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        return file(path, below: folder.path) ?? file(canonical(path), below: canonical(folder.path))
    }

    private func copy(_ source: borrowing SourceFile, into folder: MediaFolder) throws -> FoundFile {
        do {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        } catch {
            let parent = URL(filePath: folder.path).deletingLastPathComponent().path
            throw FileErrorText(error).number.map {
                LibraryError.writing("\(folder.path) cannot be created", in: parent, number: $0)
            } ?? LibraryError(.storage, "\(folder.path) cannot be created: \(FileErrorText(error))")
        }
        try Self.checkFreeSpace(for: source.name, byteCount: source.byteCount, in: folder)
        let temporary = "\(folder.path)/\(Self.ownPrefix)\(UUID().uuidString).part"
        defer { unlink(temporary) }
        try source.copy(to: temporary)
        let name = try Self.claimName(source.name, for: temporary, in: folder)
        guard Self.syncFolder(folder.path), let file = folder.file(named: name) else {
            throw LibraryError(.storage, "\(name) was copied, but cannot be found in \(folder.path)")
        }
        return file
    }

    /// Checks that there is room for a file.
    ///
    /// - Throws: `LibraryError` if the disk does not have enough free space.
    static func checkFreeSpace(for name: String, byteCount: Int64, in folder: MediaFolder) throws {
        guard let free = DiskFile.freeByteCount(ofFolder: folder.path), byteCount > free - DiskFile.reservedByteCount
        else { return }
        throw LibraryError(
            .storage,
            """
            no room on the disk of the media folder: the file has \(byteCount >> 20) MiB, \(free >> 20) MiB are free, and \
            Antena leaves \(DiskFile.reservedByteCount >> 20) MiB free; make room and try again
            """)
    }

    /// Gives the copy the first free name, and never that of another file.
    static func claimName(_ name: String, for temporary: String, in folder: MediaFolder) throws -> String {
        let ending = MediaKind.fileExtension(of: name)
        let stem = MediaKind.stem(of: name)
        for number in 1...maximumNameCount {
            let candidate = number == 1 ? name : "\(stem)-\(number).\(ending)"
            let path = "\(folder.path)/\(candidate)"
            switch folder.isStored(path) ? EEXIST : claim(path, for: temporary) {
            case 0: return candidate
            case EEXIST: continue
            case let code:
                throw LibraryError.writing("\(candidate) cannot be added", in: folder.path, number: code)
            }
        }
        throw LibraryError(.limitExceeded, "there are \(maximumNameCount) files named like \(name)")
    }

    /// Claims a name.
    ///
    /// - Returns: 0, or an `errno`; `EEXIST` if the name is taken.
    private static func claim(_ path: String, for temporary: String) -> Int32 {
        // Unlike rename(2), link(2) never replaces another file. The caller removes the old name.
        if link(temporary, path) == 0 { return 0 }
        let code = errno
        // FAT and some network file systems have no links; there, an empty file claims the name.
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(code) else { return code }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return rename(temporary, path) == 0 ? 0 : errno
    }

    /// Flushes a folder, so that its names survive a power cut.
    static func syncFolder(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Deletes copies that a crash interrupted; those of this run are kept.
    ///
    /// - Returns: the number of deleted files.
    package func deleteUnfinished() -> Int {
        MediaFolder.deleteFiles(in: mediaDirectory) { name in
            name.hasPrefix(Self.temporaryPrefix) && !name.hasPrefix(Self.ownPrefix)
        }
    }
}

/// An open file, so that the checked file is the one that is copied.
private struct SourceFile: ~Copyable {
    let name: String
    let byteCount: Int64
    private let path: String
    private let descriptor: Int32

    private static let pieceByteCount = 1 << 20

    init(path: String, name: String) throws {
        // O_NONBLOCK, because opening a FIFO for reading would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw LibraryError(.noSuchFile, "\(path): \(String(cString: strerror(errno)))", systemError: errno)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw LibraryError(.notMedia, "\(path) is not a regular file")
        }
        self.path = path
        self.name = name
        self.descriptor = descriptor
        byteCount = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Copies the file. The copy is complete and on the disk when this returns.
    func copy(to target: String) throws {
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard output >= 0 else {
            let folder = (target as NSString).deletingLastPathComponent
            throw LibraryError.writing("\(name) cannot be copied", in: folder, number: errno)
        }
        defer { close(output) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceByteCount, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = read(descriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot be read", errno) }
            guard count > 0 else { break }
            var written = 0
            while written < count {
                let result = write(output, piece.baseAddress.map { $0 + written }, count - written)
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { throw failure("cannot be copied", errno) }
                written += result
            }
        }
        guard fsync(output) == 0 else { throw failure("cannot be copied", errno) }
    }

    private func failure(_ what: String, _ code: Int32) -> LibraryError {
        LibraryError(.storage, "\(name) \(what): \(String(cString: strerror(code)))", systemError: code)
    }
}
