import Catalogue
import Foundation
import NIOPosix

/// A file that arrives in pieces. It lies under a hidden name in the folder of its destination, so that the last step
/// is renaming it rather than copying it.
struct IncomingFile: Sendable {
    let folder: MediaFolder
    /// The identifier in the file's hidden name; it must not contain characters that separate paths.
    let id: String

    static let prefix = ".antena-incoming-"

    init(section: LibrarySection, mediaDirectory: String, id: String) {
        folder = MediaFolder(section: section, mediaDirectory: mediaDirectory)
        self.id = id
    }

    var path: String { "\(folder.path)/\(Self.prefix)\(id).part" }

    /// Number of bytes received so far; `nil` if there is no file.
    var byteCount: Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    func delete() { unlink(path) }

    /// Makes the file, empty, and the folder if it does not exist.
    ///
    /// - Throws: ``LibraryError`` if the file cannot be written.
    func create() throws {
        try? FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else {
            throw LibraryError.writing("the file cannot be written", in: folder.path, number: errno)
        }
        close(descriptor)
    }

    func truncate(to byteCount: Int64) throws {
        guard Glibc.truncate(path, off_t(byteCount)) == 0 else { throw Self.failure("the file cannot be written") }
    }

    /// Gives the file its final name, or the first similar name that is free. The file is complete and on the disk when
    /// this returns.
    ///
    /// - Throws: ``LibraryError`` if the file is missing, cannot be written, or is in the media folder already.
    func adopt(as name: String) throws -> FoundFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("the received file was removed") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("the file cannot be written") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            // The server was killed after the file got its final name and before it lost this one.
            delete()
            throw LibraryError(.notPossible, "\(name) is in the media folder already")
        }
        let claimed = try MediaImport.claimName(name, for: path, in: folder)
        unlink(path)
        guard MediaImport.syncFolder(folder.path), let file = folder.file(named: claimed) else {
            throw LibraryError(.storage, "\(claimed) was received, but cannot be found in the media folder")
        }
        return file
    }

    static func failure(_ what: String, number: Int32 = errno) -> LibraryError {
        LibraryError(.storage, "\(what): \(String(cString: strerror(number)))", systemError: number)
    }

    /// Deletes the incoming files that are not going to be resumed.
    ///
    /// - Returns: the number of deleted files.
    static func deleteOrphans(in mediaDirectory: String, keeping ids: Set<String>) -> Int {
        MediaFolder.deleteFiles(in: mediaDirectory) { name in
            name.hasPrefix(prefix) && name.hasSuffix(".part")
                && !ids.contains(String(name.dropFirst(prefix.count).dropLast(".part".count)))
        }
    }
}

/// A safe file name derived from the name that a client requests.
package struct IncomingName: Sendable, Hashable {
    /// One path component without control characters, with a file extension of a media type.
    package let text: String
    let section: LibrarySection

    /// Limit on the bytes of the name. Together with the suffixes that are added to it, it stays below what file
    /// systems allow.
    static let maximumByteCount = 200

    /// - Parameter wish: the requested name, or a path of which the last component is used.
    /// - Throws: ``LibraryError`` if the file extension is not one of a media type.
    package init(_ wish: String) throws {
        // The path is split by bytes, because a combining mark hides a slash from a comparison of characters.
        let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        let last = wish.utf8.split(whereSeparator: separators.contains).last.map { Substring($0) } ?? ""
        let visible = last.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format ? " " : scalar
        }
        var name = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces)
        while name.unicodeScalars.first == "." { name.unicodeScalars.removeFirst() }
        let ending = MediaKind.fileExtension(of: name)
        guard let kind = MediaKind(fileName: name), kind != .playlist else {
            throw LibraryError(
                .notMedia,
                "\(name.isEmpty ? "a file without a name" : name) has no file extension of a video or audio format")
        }
        var stem = String(name.dropLast(ending.count + 1))
        while stem.utf8.count + ending.utf8.count + 1 > Self.maximumByteCount { stem.removeLast() }
        text = "\(stem.isEmpty ? "file" : stem).\(name.suffix(ending.count))"
        section = kind == .audio ? .tracks : .titles
    }
}

extension VODLibrary {
    /// Takes a completely received file into the library.
    func adopt(_ incoming: IncomingFile, as name: IncomingName) async throws -> IngestedItem {
        try await readCatalogue()
        // This flushes the whole file to the disk.
        let file = try await threads.long.runIfActive { try incoming.adopt(as: name.text) }
        return try await takeIn(file, to: name.section)
    }
}

extension IngestedItem {
    var section: LibrarySection {
        switch self {
        case .title: .titles
        case .track: .tracks
        }
    }

    var id: String {
        switch self {
        case .title(let title): title.id
        case .track(let track): track.id
        }
    }
}
