import Catalogue
import Foundation
import Logging
import NIOPosix

extension VODLibrary {
    /// Deletes a title: its file in the media folder or among the recordings, the files derived from it, and its
    /// record.
    ///
    /// - Returns: false if there is no title with that ID.
    /// - Throws: ``LibraryError`` if the file cannot be deleted; the title then stays.
    package func deleteTitle(id: String) async throws -> Bool {
        guard let record = try await catalogue.title(id: id) else { return false }
        try await delete(record, in: .titles)
        return true
    }

    /// Deletes a track in the same way as ``deleteTitle(id:)``.
    package func deleteTrack(id: String) async throws -> Bool {
        guard let record = try await catalogue.track(id: id) else { return false }
        try await delete(record, in: .tracks)
        return true
    }

    private func delete(_ record: some CatalogueRecord, in section: LibrarySection) async throws {
        // Completed even if the client has disconnected.
        try await Task {
            deleting[section, default: []].insert(record.id)
            defer { deleting[section]?.remove(record.id) }
            for job in await ledger.openJobs(of: record.id, in: section).compactMap(ingestJob) {
                _ = try await end(stages(of: job))
            }
            let folder = MediaFolder(section: section, configuration: configuration)
            // The file is found by its name, because the record's path may be that of a folder that has moved since. A
            // link is deleted, not what it leads to.
            try await threadPool.runIfActive { [files, name = record.file] in
                guard let file = folder.file(named: name) else { return }
                let failure = files.unlink(file.path)
                guard failure == 0 || failure == ENOENT else {
                    throw LibraryError.writing("\(name) cannot be deleted", in: folder.path, number: failure)
                }
            }
            try await remove(id: record.id, name: record.file, section: section)
        }.value
    }
}
