package import LibraryCore
import MediaCore

/// The files beside media files that describe them: notes (`.nfo`) and images, by their folders.
package struct CompanionFiles: Sendable, Equatable {
    /// One of them.
    package struct File: Sendable, Hashable {
        /// Path relative to the section's folder.
        package var name: String
        package var path: String
        package var byteCount: Int64
        /// Nanoseconds since 1970.
        package var modificationTime: Int64
    }

    /// Limit on the number in a section; further ones are not looked at.
    package static let maximumCount = 2 * MediaFolder.maximumFileCount

    private static let notesEnding = "nfo"
    private static let imageEndings: Set<String> = ["jpg", "jpeg", "png"]

    /// The files of each folder by their names in lower case.
    private var folders: [String: [String: File]] = [:]
    private var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Returns whether a file of that name may describe a media file.
    package static func takes(_ name: String) -> Bool {
        let ending = MediaKind.fileExtension(of: name)
        return ending == notesEnding || imageEndings.contains(ending)
    }

    mutating func add(_ file: File) {
        guard count < Self.maximumCount else { return }
        count += 1
        folders[Self.folder(of: file.name), default: [:]][file.name.lastPathComponent.lowercased()] = file
    }

    /// The notes about a media file, those with precedence first: its own, and those of its folder and of the folder of
    /// its series or album.
    package func notes(about name: String, in section: LibrarySection) -> [File] {
        let folder = Self.folder(of: name)
        var notes = [file("\(MediaKind.stem(of: name.lastPathComponent)).\(Self.notesEnding)", in: folder)]
        switch section {
        case .titles:
            // A folder with a film of its own; in the section's folder it would be about all films.
            if !folder.isEmpty {
                notes.append(file("movie.nfo", in: folder))
                notes.append(file("tvshow.nfo", in: folder))
                let parent = Self.folder(of: folder)
                if !parent.isEmpty { notes.append(file("tvshow.nfo", in: parent)) }
            }
        case .tracks:
            if !folder.isEmpty { notes.append(file("album.nfo", in: folder)) }
        }
        return notes.compactMap(\.self)
    }

    /// The image that stands for a media file; `nil` if there is none.
    package func image(of name: String, in section: LibrarySection) -> File? {
        let (folder, stem) = (Self.folder(of: name), MediaKind.stem(of: name.lastPathComponent))
        var stems = section == .titles ? ["\(stem)-poster", stem] : [stem]
        // In the section's own folder, such a name is about the section.
        if !folder.isEmpty { stems += section == .titles ? ["poster", "folder", "cover"] : ["cover", "folder"] }
        for stem in stems {
            for ending in ["jpg", "jpeg", "png"] {
                if let file = file("\(stem).\(ending)", in: folder) { return file }
            }
        }
        return nil
    }

    private func file(_ name: String, in folder: String) -> File? { folders[folder]?[name.lowercased()] }

    private static func folder(of name: String) -> String { FilePathText.folder(of: name) ?? "" }
}

extension CompanionFiles.File {
    /// A text that changes whenever the size or the modification time does.
    package var revision: String {
        FoundFile(
            name: name, path: path, kind: .video, byteCount: byteCount, modificationTime: modificationTime
        ).revision
    }
}
