/// Channels' recordings are titles, too, and lie where the server writes.
extension MediaFolder {
    /// In front of their names, which are otherwise relative to ``recordingsPath``.
    static let recordingsPrefix = "recordings"

    init(section: LibrarySection, configuration: VODLibraryConfiguration) {
        self.init(
            section: section, path: "\(configuration.mediaDirectory)/\(section.rawValue)",
            recordingsPath: section == .titles ? configuration.recordingsDirectory : nil)
    }

    /// A folder of the same name in the media folder comes after them.
    ///
    /// - Throws: ``LibraryError`` where there are too many.
    func recordings() throws -> FolderListing {
        guard let recordingsPath else { return FolderListing() }
        var listing = try MediaFolder(section: section, path: recordingsPath, recordingsPath: nil).listing()
        listing.misplaced = []
        for index in listing.files.indices { listing.files[index].name = Self.name(listing.files[index].name) }
        listing.unreachable = listing.unreachable.map { .init(name: Self.name($0.name), reason: $0.reason) }
        return listing
    }

    func recording(named name: String) -> FoundFile? {
        guard let recordingsPath, name.hasPrefix("\(Self.recordingsPrefix)/") else { return nil }
        var file = MediaFolder(section: section, path: recordingsPath, recordingsPath: nil)
            .file(named: String(name.dropFirst(Self.recordingsPrefix.count + 1)))
        file?.name = name
        return file
    }

    private static func name(_ name: String) -> String {
        name.isEmpty ? recordingsPrefix : "\(recordingsPrefix)/\(name)"
    }
}

extension FolderListing {
    /// The first file of each name only: the media folder may have a folder that is named like the recordings'.
    var withoutDoubles: FolderListing {
        var names: Set<String> = []
        var listing = self
        listing.files.removeAll { !names.insert($0.name).inserted }
        return listing
    }
}
