import Catalogue
import Foundation
import Logging
import NIOPosix

extension VODLibrary {
    /// Deletes a title: its file in the media folder or among the recordings, what was made of it, and its record; and
    /// nothing else.
    ///
    /// - Returns: false where there is none with that id.
    /// - Throws: ``LibraryError`` where its file cannot be deleted; the title stays then.
    package func deleteTitle(id: String) async throws -> Bool {
        guard let record = try await catalogue.title(id: id) else { return false }
        try await delete(record, in: .titles)
        return true
    }

    /// The same for a track.
    package func deleteTrack(id: String) async throws -> Bool {
        guard let record = try await catalogue.track(id: id) else { return false }
        try await delete(record, in: .tracks)
        return true
    }

    private func delete(_ record: some CatalogueRecord, in section: LibrarySection) async throws {
        // To its end, whatever becomes of who asked.
        try await Task {
            for job in await ledger.openJobs(of: record.id, in: section).compactMap(ingestJob) {
                _ = try await end(stages(of: job))
            }
            let folder = MediaFolder(section: section, configuration: configuration)
            // By its name: the record's path may be that of a folder that has moved since. A link goes, not what it
            // leads to.
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
