import Catalogue
import Foundation
import NIOPosix

/// A file that comes in pieces, under a hidden name in the folder in which it is going to lie, so that its last step is
/// a new name and not a copy.
struct IncomingFile: Sendable {
    let folder: MediaFolder
    /// Without anything that a path is made of.
    let id: String

    static let prefix = ".antena-incoming-"

    init(section: LibrarySection, mediaDirectory: String, id: String) {
        folder = MediaFolder(section: section, mediaDirectory: mediaDirectory)
        self.id = id
    }

    var path: String { "\(folder.path)/\(Self.prefix)\(id).part" }

    /// What has come so far; `nil` where there is no file.
    var byteCount: Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    func delete() { unlink(path) }

    /// Makes it, empty, and the folder where there is none.
    ///
    /// - Throws: ``LibraryError``
    func create() throws {
        try? FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else {
            throw LibraryError.writing("the file cannot be written", in: folder.path, number: errno)
        }
        close(descriptor)
    }

    func truncate(to byteCount: Int64) throws {
        guard Glibc.truncate(path, off_t(byteCount)) == 0 else { throw Self.failure("it cannot be written") }
    }

    /// Gives it its name, or the first like it that is free; whole and on the disk when it returns.
    ///
    /// - Throws: ``LibraryError``
    func adopt(as name: String) throws -> FoundFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("the received file was removed") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("it cannot be written") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            // A kill came between its getting its name and its losing this one.
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

    /// Deletes those that nobody goes on with.
    ///
    /// - Returns: how many there were.
    static func deleteOrphans(in mediaDirectory: String, keeping ids: Set<String>) -> Int {
        MediaFolder.deleteFiles(in: mediaDirectory) { name in
            name.hasPrefix(prefix) && name.hasSuffix(".part")
                && !ids.contains(String(name.dropFirst(prefix.count).dropLast(".part".count)))
        }
    }
}

/// A name that a stranger wishes for a file.
package struct IncomingName: Sendable, Hashable {
    /// One path component, visible, with the ending of a medium.
    package let text: String
    let section: LibrarySection

    /// With what is put behind it where it is taken, below what file systems bear.
    static let maximumByteCount = 200

    /// - Parameter wish: a name, or a path of which the last component counts.
    /// - Throws: ``LibraryError`` where it is no medium by its name.
    package init(_ wish: String) throws {
        // By bytes: a combining mark hides a slash from a comparison of characters.
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
                .notMedia, "\(name.isEmpty ? "a file without a name" : name) is neither video nor audio by its name")
        }
        var stem = String(name.dropLast(ending.count + 1))
        while stem.utf8.count + ending.utf8.count + 1 > Self.maximumByteCount { stem.removeLast() }
        text = "\(stem.isEmpty ? "file" : stem).\(name.suffix(ending.count))"
        section = kind == .audio ? .tracks : .titles
    }
}

extension VODLibrary {
    /// Takes a file in that has come to its end.
    func adopt(_ incoming: IncomingFile, as name: IncomingName) async throws -> IngestedItem {
        try await readCatalogue()
        // Puts all of the file on the disk.
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
