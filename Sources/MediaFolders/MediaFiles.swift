import LibraryCore

/// Finds media files in any folder.
package enum MediaFiles {
    /// The paths of the media files relative to the folder, sorted; hidden and incomplete files, and those in systems'
    /// folders, are left out.
    ///
    /// - Throws: `LibraryError` if there are too many files.
    package static func below(_ path: String) throws -> [String] {
        let files = try LibrarySection.allCases.flatMap { section in
            try MediaFolder(section: section, path: path, recordingsPath: nil).listing().files
        }
        return Set(files.map(\.name)).sorted()
    }
}
