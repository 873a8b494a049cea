package import LibraryCore
package import LibraryStorage

/// The channels' recordings, which are titles, too, and lie in a folder of their own.
extension MediaFolder {
    /// Prefix of the names of recordings, which are otherwise relative to their own folder.
    package static let recordingsPrefix = "recordings"

    /// A section's folder, with the recordings if the section is that of the titles.
    ///
    /// - Parameters:
    ///   - section: the section.
    ///   - mediaDirectory: the media folder.
    ///   - recordingsDirectory: the folder of recordings; `nil` for none.
    ///   - stored: the files in the media store; `nil` for none.
    package init(
        section: LibrarySection, mediaDirectory: String, recordingsDirectory: String?, stored: StoredFiles?
    ) {
        self.init(
            section: section, path: "\(mediaDirectory)/\(section.rawValue)",
            recordingsPath: section == .titles ? recordingsDirectory : nil, stored: stored)
    }

    /// The files below ``recordingsPath``. They take precedence over a folder of the same name in the media folder.
    ///
    /// - Throws: `LibraryError` if there are too many files.
    func recordings() throws -> FolderListing {
        guard let recordingsPath else { return FolderListing() }
        var listing = try recordingsFolder(recordingsPath).listing()
        listing.misplaced = []
        for index in listing.files.indices { listing.files[index].name = Self.name(listing.files[index].name) }
        listing.unreachable = listing.unreachable.map { .init(name: Self.name($0.name), reason: $0.reason) }
        return listing
    }

    /// Finds the recording with that name; `nil` if there is none.
    package func recording(named name: String) -> FoundFile? {
        guard let recordingsPath, name.hasPrefix("\(Self.recordingsPrefix)/") else { return nil }
        var file = recordingsFolder(recordingsPath)
            .file(named: String(name.dropFirst(Self.recordingsPrefix.count + 1)))
        file?.name = name
        return file
    }

    private func recordingsFolder(_ path: String) -> MediaFolder {
        MediaFolder(section: section, path: path, recordingsPath: nil, stored: stored)
    }

    private static func name(_ name: String) -> String {
        name.isEmpty ? recordingsPrefix : "\(recordingsPrefix)/\(name)"
    }
}

extension FolderListing {
    /// The listing with only the first file of each name, because the media folder may have a folder that is named like
    /// the recordings'.
    var withoutDoubles: FolderListing {
        var names: Set<String> = []
        var listing = self
        listing.files.removeAll { !names.insert($0.name).inserted }
        return listing
    }
}
