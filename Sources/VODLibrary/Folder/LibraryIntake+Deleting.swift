import Catalogue
import Foundation
import LibraryCore
import LibraryStorage
import MediaFolders
import NIOPosix

extension LibraryIntake {
    /// Deletes a title or track: its file in the media folder or among the recordings, the files derived from it, and
    /// its record. Completed even if the calling task is cancelled.
    ///
    /// - Throws: `LibraryError` if the file cannot be deleted; the title or track then stays.
    func delete(_ record: some CatalogueRecord, in section: LibrarySection, jobs: any FolderJobs) async throws {
        try await Task {
            deleting[section, default: []].insert(record.id)
            defer { deleting[section]?.remove(record.id) }
            try await jobs.cancelJobs(of: record.id, in: section)
            // Before the record, so that no scan takes the file for a new one.
            try await deleteFile(named: record.file, in: section)
            try await remove(id: record.id, name: record.file, section: section, jobs: jobs)
        }.value
    }

    /// Deletes a file on this machine and in the media store; does nothing if there is none.
    ///
    /// The file is found by its name, because the record's path may be that of a folder that has moved since. A link is
    /// deleted, not what it leads to.
    private func deleteFile(named name: String, in section: LibrarySection) async throws {
        let folder = folder(section)
        guard let file = try await context.threadPool.runIfActive({ folder.file(named: name) }) else { return }
        try await context.files.stored?.delete([file.path])
        try await context.threadPool.runIfActive { [files = context.files] in
            let failure = files.unlink(file.path)
            guard failure == 0 || failure == ENOENT else {
                throw LibraryError.writing("\(name) cannot be deleted", in: folder.path, number: failure)
            }
        }
    }
}
