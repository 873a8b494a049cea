import LibraryCore
import LibraryStorage
import MediaCore

/// The section's files in the media store, which belong to the section as those on this machine do.
extension MediaFolder {
    /// Adds the files in the media store, except those whose names are taken by files on this machine.
    ///
    /// - Throws: `LibraryError` if there are too many files.
    func addStored(to listing: inout FolderListing) throws {
        guard let stored else { return }
        let files = stored.files(below: path)
        guard !files.isEmpty else { return }
        let names = Set(listing.files.map(\.name))
        for (filePath, file) in files {
            guard let name = filePath.path(below: path).map(String.init), !names.contains(name),
                name.pathComponents.allSatisfy(Self.takes(entry:)), let kind = MediaKind(fileName: name),
                section.takes(kind)
            else { continue }
            guard listing.files.count < Self.maximumFileCount else {
                throw LibraryError(.limitExceeded, "more than \(Self.maximumFileCount) files in \(path)")
            }
            listing.files.append(FoundFile(file, name: name, path: filePath, kind: kind))
        }
    }

    /// The file in the media store with that name; `nil` if there is none.
    func storedFile(named name: String, kind: MediaKind) -> FoundFile? {
        let filePath = "\(path)/\(name)"
        return stored?.file(at: filePath).map { FoundFile($0, name: name, path: filePath, kind: kind) }
    }

    /// Returns whether a file in the media store has the path.
    package func isStored(_ path: String) -> Bool { stored?.file(at: path) != nil }
}

extension FoundFile {
    fileprivate init(_ file: StoredFile, name: String, path: String, kind: MediaKind) {
        self.init(
            name: name, path: path, kind: kind, byteCount: file.byteCount, modificationTime: file.modificationTime)
    }
}
