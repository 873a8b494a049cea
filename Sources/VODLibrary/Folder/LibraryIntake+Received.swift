import MediaIntake
import NIOPosix

extension LibraryIntake {
    /// Takes a completely received file into the library.
    ///
    /// - Throws: `LibraryError` if the file cannot get its name.
    func adopt(_ received: ReceivedFile, as name: ReceivedName, jobs: any FolderJobs) async throws -> IngestedItem {
        try await known.read(from: context.catalogue)
        // This flushes the whole file to the disk.
        let file = try await context.threads.long.runIfActive { try received.adopt(as: name.text) }
        return try await takeIn(file, to: name.section, jobs: jobs)
    }
}
