import LibraryCore
import LibraryStorage
import MediaFolders

extension LibraryContext {
    /// A section's folder, with its files in the media store.
    func folder(_ section: LibrarySection) -> MediaFolder {
        MediaFolder(
            section: section, mediaDirectory: configuration.mediaDirectory,
            recordingsDirectory: configuration.recordingsDirectory, stored: files.stored)
    }

    /// Drops the file in the media store that a file in the folder has replaced: it must not come back when that one is
    /// deleted.
    func dropStored(replacedBy file: FoundFile) async {
        guard let stored = files.stored?.file(at: file.path),
            stored.byteCount != file.byteCount || stored.modificationTime != file.modificationTime
        else { return }
        await deleteStored([file.path])
    }
}
