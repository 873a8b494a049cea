import MediaCore

/// The result of one scan of a section: the files that it found, and the folders that it could not read.
package struct FolderListing: Sendable, Equatable {
    package var files: [FoundFile]
    /// Folders that cannot be read, and broken links, for example because a disk is not mounted. The empty name is the
    /// section itself.
    package var unreachable: [Unreachable] = []
    /// The first files that were passed over; expected ones are left out.
    package var misplaced: [MisplacedFile] = []
    /// Notes and images beside media files.
    package var companions = CompanionFiles()

    package struct Unreachable: Sendable, Hashable {
        package var name: String
        package var reason: String
    }

    package init(files: [FoundFile] = []) { self.files = files }

    /// Returns whether the scan could have seen a file of that name. If it did not see the file, the file is gone.
    package func couldSee(_ name: String) -> Bool {
        !unreachable.contains { $0.name.isEmpty || name == $0.name || name.path(below: $0.name) != nil }
    }
}
