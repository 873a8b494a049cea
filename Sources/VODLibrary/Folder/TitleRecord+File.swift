import Catalogue
import Foundation
import LibraryDetails
import MediaFolders
import MediaWorker

extension TitleRecord {
    /// The paths of the playable file, which may be the source itself, and of the images derived from it.
    var pathsInUse: [String] {
        [mediaPath, mediaPath.map(ConvertedSubtitles.folder(ofMovieAt:)), poster, uploadedPoster, storyboard]
            .compactMap(\.self)
    }

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
        progress = nil
        error = nil
        mediaPath = nil
        // A poster that an operator uploaded suits every file.
        poster = uploadedPoster
        storyboard = nil
        leftOut = nil
        describe(file)
    }
}
