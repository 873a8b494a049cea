import Catalogue
import JobRunning
import LibraryCore
import MediaFolders

/// The jobs that follow from files that come, change or go.
struct LibraryJobs: FolderJobs {
    let runner: JobRunner
    let titles: TitleIngestJob
    let ladders: LadderJob
    let covers: CoverJob

    func ingestAtOnce(_ file: FoundFile) async throws -> TitleRecord? {
        try await titles.ingestAtOnce(file, in: runner)
    }

    func queueIngest(of id: String, fileName: String, in section: LibrarySection) async {
        let kind: JobKind =
            switch section {
            case .titles: .title
            case .tracks: .track
            }
        // A full queue loses nothing, because the next scan finds the record without a job.
        await runner.enqueue(JobRequest(kind, subject: id, fileName: fileName))
    }

    func queueImage(of id: String, in section: LibrarySection) async throws {
        switch section {
        case .titles: try await titles.queuePoster(ofTitle: id, in: runner)
        case .tracks: try await covers.queue(ofTrack: id, in: runner)
        }
    }

    func queueAwaited() async throws {
        try await covers.queuePostponed(in: runner)
        try await titles.queueAwaited(in: runner)
    }

    func busyIDs(in section: LibrarySection) async -> Set<String> { await runner.busyIDs(in: section) }

    func cancelJobs(of id: String, in section: LibrarySection) async throws {
        try await runner.cancelJobs(of: id, in: section)
    }

    func deleteLadders(ofTitle id: String, mediaPath: String?) async throws {
        try await ladders.deleteLadders(ofTitle: id, mediaPath: mediaPath, in: runner)
    }

    func hasLadderChoice(_ id: String) async -> Bool { await ladders.hasChoice(id) }
}
