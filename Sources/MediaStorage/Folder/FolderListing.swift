/// Lists the files below a folder in the order of their keys' UTF-8 bytes. Waits for the disk.
///
/// Folders that hold only keys before the first or without the prefix are not read.
struct FolderListing {
    let root: String
    let prefix: String
    let after: String?
    let limit: Int
    private var found: [(key: String, status: LocalFile.Status)] = []

    /// Limit on the depth of folders; a key has fewer names.
    private static let maximumDepth = MediaKey.maximumByteCount / 2

    init(root: String, prefix: String, after: String?, limit: Int) {
        self.root = root
        self.prefix = prefix
        self.after = after
        self.limit = limit
    }

    mutating func files() throws -> [(key: String, status: LocalFile.Status)] {
        try visit(folder: "", depth: 0)
        return found
    }

    /// - Parameter folder: The start of the keys in the folder: empty, or ending with a slash.
    private mutating func visit(folder: String, depth: Int) throws {
        guard depth < Self.maximumDepth else { return }
        var entries: [(key: String, status: LocalFile.Status)] = []
        for name in try LocalFile.names(inFolder: "\(root)/\(folder)") {
            guard let linked = try? LocalFile.status(of: "\(root)/\(folder)\(name)") else { continue }
            // A folder's keys continue with a slash, which decides about their place among its siblings.
            let key = folder + name + (linked.isFolder ? "/" : "")
            let isWanted = linked.isFolder ? mayHold(key) : linked.isRegular && isListed(key)
            if isWanted, MediaKey.problem(with: folder + name) == nil { entries.append((key, linked)) }
        }
        entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for entry in entries {
            guard found.count < limit else { return }
            if !entry.status.isFolder {
                found.append(entry)
            } else if !LocalFile.isSymbolicLink("\(root)/\(entry.key.dropLast())") {
                try visit(folder: entry.key, depth: depth + 1)
            }
        }
    }

    private func isListed(_ key: String) -> Bool {
        key.utf8.starts(with: prefix.utf8) && (after.map { $0.utf8.lexicographicallyPrecedes(key.utf8) } ?? true)
    }

    /// Returns whether a folder may hold keys of the list.
    private func mayHold(_ folder: String) -> Bool {
        guard folder.utf8.starts(with: prefix.utf8) || prefix.utf8.starts(with: folder.utf8) else { return false }
        guard let after else { return true }
        return after.utf8.starts(with: folder.utf8) || after.utf8.lexicographicallyPrecedes(folder.utf8)
    }
}
