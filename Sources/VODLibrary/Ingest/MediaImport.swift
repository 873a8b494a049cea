import Foundation
import MediaCore
import Packaging

/// Brings a file from elsewhere on this machine into the media folder: whole or not at all.
struct MediaImport: Sendable {
    let mediaDirectory: String

    /// Copies have this name in front of their number until they are whole.
    static let temporaryPrefix = ".antena-import-"
    /// Of this run: these are being written, and no earlier run's.
    private static let ownPrefix = "\(temporaryPrefix)\(UUID().uuidString.prefix(8))-"
    /// Kept free: the catalogue and the system have to go on writing.
    static let minimumFreeByteCount: Int64 = 256 << 20
    /// Of names `film-2.mp4` and so on; who has this many of one name has another problem.
    static let maximumNameCount = 10_000

    /// Copied while the caller waits; a larger file is a job. Takes a disk a second or less.
    static let maximumByteCountAtOnce: Int64 = 64 << 20

    /// - Returns: whether the file has to be copied, and that would take long.
    func takesLong(path: String) -> Bool {
        let name = path.lastPathComponent
        var status = stat()
        guard path.hasPrefix("/"), let kind = MediaKind(fileName: name), kind != .playlist, stat(path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) > Self.maximumByteCountAtOnce
        else { return false }
        let section = kind == .audio ? LibrarySection.tracks : .titles
        return Self.member(of: MediaFolder(section: section, mediaDirectory: mediaDirectory), path: path) == nil
    }

    /// - Returns: the file as the scanner will find it, and where it belongs.
    /// - Throws: ``LibraryError``
    func bringIn(path: String) throws -> (LibrarySection, FoundFile) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw LibraryError(.noSuchFile, "an absolute path is needed, not \(path)")
        }
        let name = path.lastPathComponent
        let source = try SourceFile(path: path, name: name)
        guard let kind = MediaKind(fileName: name) else {
            throw LibraryError(.notMedia, "\(name) is neither video nor audio by its name")
        }
        guard kind != .playlist else {
            throw LibraryError(.notMedia, "\(name): a playlist refers to other files; only media files are opened")
        }
        let section = kind == .audio ? LibrarySection.tracks : .titles
        let folder = MediaFolder(section: section, mediaDirectory: mediaDirectory)
        if let file = Self.member(of: folder, path: path) { return (section, file) }
        return (section, try copy(source, into: folder))
    }

    /// The file, where it is in the folder already, by whatever path.
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

    static func checkFreeSpace(for name: String, byteCount: Int64, in folder: MediaFolder) throws {
        guard let free = DiskFile.freeByteCount(ofFolder: folder.path), byteCount > free - minimumFreeByteCount
        else { return }
        throw LibraryError(
            .storage,
            """
            no room on the disk of the media folder: the file has \(byteCount >> 20) MiB, \(free >> 20) MiB are free, and \
            Antena leaves \(minimumFreeByteCount >> 20) MiB free; make room and try again
            """)
    }

    /// Gives the copy the first name that is free, and never another file's.
    static func claimName(_ name: String, for temporary: String, in folder: MediaFolder) throws -> String {
        let ending = MediaKind.fileExtension(of: name)
        let stem = ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
        for number in 1...maximumNameCount {
            let candidate = number == 1 ? name : "\(stem)-\(number).\(ending)"
            switch claim("\(folder.path)/\(candidate)", for: temporary) {
            case 0: return candidate
            case EEXIST: continue
            case let code:
                throw LibraryError.writing("\(candidate) cannot be added", in: folder.path, number: code)
            }
        }
        throw LibraryError(.limitExceeded, "there are \(maximumNameCount) files named like \(name)")
    }

    /// - Returns: 0, or an `errno`; `EEXIST` where the name is taken.
    private static func claim(_ path: String, for temporary: String) -> Int32 {
        // Unlike rename(2), link(2) never takes a name from another file. The old name goes with the caller.
        if link(temporary, path) == 0 { return 0 }
        let code = errno
        // FAT and some network file systems have no links: there an empty file claims the name.
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(code) else { return code }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return rename(temporary, path) == 0 ? 0 : errno
    }

    /// The name, too, must outlive a power cut.
    static func syncFolder(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Deletes copies that a kill cut off; those of this run are not done yet.
    ///
    /// - Returns: how many there were.
    func deleteUnfinished() -> Int {
        MediaFolder.deleteFiles(in: mediaDirectory) { name in
            name.hasPrefix(Self.temporaryPrefix) && !name.hasPrefix(Self.ownPrefix)
        }
    }
}

/// A file that is open for copying: what is checked is what is copied.
private struct SourceFile: ~Copyable {
    let name: String
    let byteCount: Int64
    private let path: String
    private let descriptor: Int32

    private static let pieceByteCount = 1 << 20

    init(path: String, name: String) throws {
        // O_NONBLOCK: opening a FIFO for reading would wait for a writer.
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

    /// Whole and on disk when it returns.
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

/// Copies one file after the other, on a thread of its own: gigabytes take minutes, for which viewers must not wait.
actor MediaImporter {
    let mediaImport: MediaImport
    private let queue = DispatchQueue(label: "antena.import")
    private var waitingCount = 0

    /// Requests at once; more are refused.
    static let maximumWaitingCount = 16

    init(mediaImport: MediaImport) { self.mediaImport = mediaImport }

    /// - Throws: ``LibraryError``
    func bringIn(path: String) async throws -> (LibrarySection, FoundFile) {
        guard waitingCount < Self.maximumWaitingCount else {
            throw LibraryError(.limitExceeded, "\(waitingCount) files are being brought in already; try again later")
        }
        waitingCount += 1
        defer { waitingCount -= 1 }
        return try await withCheckedThrowingContinuation { [mediaImport] continuation in
            queue.async {
                continuation.resume(with: Result { try mediaImport.bringIn(path: path) })
            }
        }
    }
}
