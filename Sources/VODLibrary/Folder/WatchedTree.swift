/// A tree of files that is scanned and watched.
struct WatchedTree: Sendable, Hashable {
    var section: LibrarySection
    var path: String
    /// Prefix of the names below it in the catalogue.
    var prefix = ""

    /// All trees; the number of a tree is its index in this list.
    static func all(of configuration: VODLibraryConfiguration) -> [WatchedTree] {
        var trees = LibrarySection.allCases.map { section in
            WatchedTree(
                section: section,
                path: MediaFolder(section: section, mediaDirectory: configuration.mediaDirectory).path)
        }
        if let path = configuration.recordingsDirectory {
            trees.append(WatchedTree(section: .titles, path: path, prefix: "\(MediaFolder.recordingsPrefix)/"))
        }
        return trees
    }
}
