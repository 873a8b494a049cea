/// Media below any folder.
package enum MediaFiles {
    /// Relative to the folder, in the order of their names; hidden and half-written ones are left out.
    ///
    /// - Throws: ``LibraryError`` where there are too many.
    package static func below(_ path: String) throws -> [String] {
        let files = try LibrarySection.allCases.flatMap { section in
            try MediaFolder(section: section, path: path, recordingsPath: nil).listing().files
        }
        return files.filter { $0.kind != .playlist }.map(\.name).sorted()
    }
}
