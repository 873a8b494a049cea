import NIOPosix
import Packaging

@testable import VODLibrary

extension LadderManifest {
    /// Opens the movies of a ladder on this machine.
    func movies(in folder: LadderStore.Folder) async throws -> LadderMedia {
        try await movies(in: folder, files: LibraryFiles(), threads: LibraryThreads(shared: .singleton))
    }
}
