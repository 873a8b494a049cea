import Catalogue
import Foundation
import LibraryDetails
import MediaFolders

extension AudioTrackRecord {
    /// The paths of the playable file, which may be the source itself, and of the covers.
    var pathsInUse: [String] { [mediaPath, cover, uploadedCover, coverOfFile].compactMap(\.self) }

    /// The path of the cover that is made of the image beside the file; `nil` without such an image.
    func besideCoverPath(in derived: DerivedFiles) -> String? {
        coverFile.map { derived.path(.covers, id: id, revision: "beside", ending: "-\($0.revision).jpg") }
    }

    /// Returns whether the cover that was made of the image beside the file is not that of the present image.
    func needsCover(in derived: DerivedFiles) -> Bool { coverOfFile != besideCoverPath(in: derived) }

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
