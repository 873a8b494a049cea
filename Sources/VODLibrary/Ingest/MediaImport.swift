import Foundation

/// Brings a file from elsewhere on this machine into the media folder: whole or not at all.
struct MediaImport: Sendable {
    let mediaDirectory: String

    /// - Returns: the file as the scanner will find it, and where it belongs.
    /// - Throws: ``LibraryError``
    func bringIn(path: String) throws -> (LibrarySection, FoundFile) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw LibraryError(.noSuchFile, "an absolute path is needed, not \(path)")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw LibraryError(.noSuchFile, "\(path): \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw LibraryError(.notMedia, "\(path) is no regular file") }
        let name = String(path.split(separator: "/").last ?? "")
        guard let kind = MediaKind(fileName: name) else {
            throw LibraryError(.notMedia, "\(name) is neither video nor audio by its name")
        }
        guard kind != .playlist else {
            throw LibraryError(
                .notMedia, "\(name): a playlist refers to other files; only media files are opened")
        }
        let section = kind == .audio ? LibrarySection.tracks : .titles
        let folder = MediaFolder(section: section, mediaDirectory: mediaDirectory)
        let canonical = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let canonicalFolder = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
        if canonical.hasPrefix(canonicalFolder + "/"),
            let file = folder.file(named: String(canonical.dropFirst(canonicalFolder.count + 1)))
        {
            return (section, file)
        }
        return (section, try copy(path, named: name, into: folder))
    }

    private func copy(_ path: String, named name: String, into folder: MediaFolder) throws -> FoundFile {
        let files = FileManager.default
        let temporary = "\(folder.path)/.\(UUID().uuidString).part"
        do {
            try files.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            try files.copyItem(atPath: path, toPath: temporary)
            // The copy is a new file of the library's, whatever the original's date was.
            try files.setAttributes([.modificationDate: Date()], ofItemAtPath: temporary)
        } catch {
            try? files.removeItem(atPath: temporary)
            throw LibraryError(.storage, "\(name) cannot be copied into \(folder.path): \(error.localizedDescription)")
        }
        let free = Self.freeName(name) { files.fileExists(atPath: "\(folder.path)/\($0)") }
        guard rename(temporary, "\(folder.path)/\(free)") == 0, let file = folder.file(named: free) else {
            try? files.removeItem(atPath: temporary)
            throw LibraryError(.storage, "\(name) cannot be put into \(folder.path)")
        }
        return file
    }

    /// `film.mp4`, `film-2.mp4`, …
    static func freeName(_ name: String, isTaken: (String) -> Bool) -> String {
        guard isTaken(name) else { return name }
        let ending = MediaKind.fileExtension(of: name)
        let stem = ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
        var number = 2
        while isTaken("\(stem)-\(number).\(ending)") { number += 1 }
        return "\(stem)-\(number).\(ending)"
    }
}
