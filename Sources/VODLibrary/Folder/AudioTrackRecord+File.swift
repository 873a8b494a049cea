import Catalogue
import Foundation
import LibraryDetails
import MediaFolders

extension AudioTrackRecord {
    /// The paths of the playable file, which may be the source itself, and of the cover.
    var pathsInUse: [String] { [mediaPath, cover].compactMap(\.self) }

    /// Creates a record in state `queued`.
    init(of file: FoundFile, described details: ItemDetails, addedAt: Date) {
        self.init(
            id: "", title: details.text(.title) ?? file.name, file: file.name, sourcePath: file.path,
            byteCount: file.byteCount, modifiedAt: file.modifiedAt, revision: file.revision, addedAt: addedAt)
        describeFile(details)
    }

    /// Begins the record again for a file that was replaced.
    mutating func startAgain(with file: FoundFile) {
        state = .queued
        error = nil
        mediaPath = nil
        cover = nil
        coverMediaType = nil
        describe(file)
    }
}
