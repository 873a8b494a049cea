import Foundation
package import LibraryCore
package import LibraryStorage
package import MediaFolders
import NIOPosix

/// A file that arrives in pieces. It lies under a hidden name in the folder of its destination, so that the last step
/// is renaming it rather than copying it.
package struct ReceivedFile: Sendable {
    let folder: MediaFolder
    /// The identifier in the file's hidden name; it must not contain characters that separate paths.
    let id: String

    static let prefix = ".antena-incoming-"

    /// - Parameters:
    ///   - section: the section that the file is for.
    ///   - mediaDirectory: the media folder.
    ///   - stored: the files in the media store, whose names are taken.
    ///   - id: the identifier in the file's hidden name.
    package init(section: LibrarySection, mediaDirectory: String, stored: StoredFiles?, id: String) {
        folder = MediaFolder(section: section, mediaDirectory: mediaDirectory, stored: stored)
        self.id = id
    }

    var path: String { "\(folder.path)/\(Self.prefix)\(id).part" }

    /// Number of bytes received so far; `nil` if there is no file.
    var byteCount: Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    package func delete() { unlink(path) }

    /// Makes the file, empty, and the folder if it does not exist.
    ///
    /// - Throws: `LibraryError` if the file cannot be written.
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
    /// - Throws: `LibraryError` if the file is missing, cannot be written, or is in the media folder already.
    package func adopt(as name: String) throws -> FoundFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("the received file was removed") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("the file cannot be written") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            // The server was killed after the file got its final name and before it lost this one.
            delete()
            throw LibraryError(.notPossible, "\(name) is already in the media folder")
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
    package static func deleteOrphans(in mediaDirectory: String, keeping ids: Set<String>) -> Int {
        MediaFolder.deleteFiles(in: mediaDirectory) { name in
            name.hasPrefix(prefix) && name.hasSuffix(".part")
                && !ids.contains(String(name.dropFirst(prefix.count).dropLast(".part".count)))
        }
    }
}
