package import LibraryCore

/// A tree of files that is scanned and watched.
package struct WatchedTree: Sendable, Hashable {
    package var section: LibrarySection
    package var path: String
    /// Prefix of the names below it in the catalogue.
    package var prefix = ""

    /// All trees; the number of a tree is its index in this list.
    ///
    /// - Parameters:
    ///   - mediaDirectory: the media folder.
    ///   - recordingsDirectory: the folder of recordings; `nil` for none.
    package static func all(mediaDirectory: String, recordingsDirectory: String?) -> [WatchedTree] {
        var trees = LibrarySection.allCases.map { section in
            WatchedTree(section: section, path: MediaFolder(section: section, mediaDirectory: mediaDirectory).path)
        }
        if let recordingsDirectory {
            trees.append(
                WatchedTree(section: .titles, path: recordingsDirectory, prefix: "\(MediaFolder.recordingsPrefix)/"))
        }
        return trees
    }
}
