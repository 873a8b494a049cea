import Catalogue
import LibraryCore
import MediaFolders

/// The jobs, as those see them who keep the catalogue in line with the media folder.
protocol FolderJobs: Sendable {
    /// Takes a movie into the library that plays without conversion and whose index is read in one go.
    ///
    /// - Returns: `nil` for all other files, including damaged ones; they need a job.
    func ingestAtOnce(_ file: FoundFile) async throws -> TitleRecord?
    /// Queues the job that makes a title or track playable.
    func queueIngest(of id: String, fileName: String, in section: LibrarySection) async
    /// Queues the poster of a title or the cover of a track if it needs another one.
    func queueImage(of id: String, in section: LibrarySection) async throws
    /// Queues the posters and ladders of titles that were ready at once, and makes their records durable.
    func queueAwaited() async throws
    /// The IDs of titles or tracks with a job that holds their file.
    func busyIDs(in section: LibrarySection) async -> Set<String>
    /// Cancels all jobs of a title or track, and returns when they have ended.
    func cancelJobs(of id: String, in section: LibrarySection) async throws
    /// Deletes the ladders of a title that was removed or whose file was replaced, and cancels their job.
    func deleteLadders(ofTitle id: String, mediaPath: String?) async throws
    /// Returns whether somebody asked for a ladder of a title or dropped it; those that every title gets do not count.
    func hasLadderChoice(_ id: String) async -> Bool
}
