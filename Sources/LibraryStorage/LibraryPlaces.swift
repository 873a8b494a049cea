/// The folders of the library by names that stay when a folder is moved or mounted elsewhere.
package struct LibraryPlaces: Sendable, Hashable {
    /// The names and paths of the folders; a folder that lies in another one comes before it.
    private let folders: [(name: String, path: String)]

    /// - Parameters:
    ///   - mediaDirectory: the media folder.
    ///   - recordingsDirectory: the folder of recordings; `nil` for none.
    ///   - dataDirectory: the data folder.
    package init(mediaDirectory: String, recordingsDirectory: String?, dataDirectory: String) {
        folders = [
            ("recordings", recordingsDirectory), ("media", mediaDirectory), ("data", dataDirectory),
        ].compactMap { name, path in path.map { (name, Self.withoutSlash($0)) } }
    }

    private static func withoutSlash(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The place of a path; `nil` if the path lies in none of the folders.
    package func place(ofPath path: String) -> String? {
        for (name, folder) in folders where path.utf8.starts(with: "\(folder)/".utf8) {
            return name + String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
        }
        return nil
    }

    /// The path of a place; `nil` if there is no such folder.
    package func path(ofPlace place: String) -> String? {
        for (name, folder) in folders where place.utf8.starts(with: "\(name)/".utf8) {
            return folder + String(decoding: place.utf8.dropFirst(name.utf8.count), as: UTF8.self)
        }
        return nil
    }

    package static func == (one: LibraryPlaces, other: LibraryPlaces) -> Bool {
        one.folders.map(\.path) == other.folders.map(\.path)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(folders.map(\.path)) }
}
