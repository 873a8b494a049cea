/// The files in the media store by their paths on this machine.
struct StoredFileIndex: Sendable {
    private(set) var files: [String: StoredFile] = [:]
    private var namesByFolder: [Substring: Set<Substring>] = [:]

    subscript(path: String) -> StoredFile? {
        get { files[path] }
        set {
            let (folder, name) = Self.parts(of: path)
            files[path] = newValue
            if newValue != nil {
                namesByFolder[folder, default: []].insert(name)
            } else {
                namesByFolder[folder]?.remove(name)
                if namesByFolder[folder]?.isEmpty == true { namesByFolder[folder] = nil }
            }
        }
    }

    /// The paths of the files directly in a folder.
    func paths(in folder: String) -> [String] { (namesByFolder[folder[...]] ?? []).map { "\(folder)/\($0)" } }

    private static func parts(of path: String) -> (folder: Substring, name: Substring) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path[...]) }
        return (path[..<slash], path[path.utf8.index(after: slash)...])
    }
}
