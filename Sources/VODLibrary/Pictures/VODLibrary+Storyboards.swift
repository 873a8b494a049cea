import Catalogue
import Foundation
import Logging
import MediaCore
import NIOPosix

/// Pictures for looking for a place: made when there is nothing else to do, a title after the other.
extension VODLibrary {
    /// Between two looks for titles that need one.
    static let storyboardInterval = Duration.seconds(3)
    /// In the queue at a time: what is queued can be seen, and the rest costs nothing.
    static let maximumQueuedStoryboardCount = 10

    func lookForStoryboardsInTurns() async {
        while !Task.isCancelled {
            try? await clock.sleep(for: Self.storyboardInterval)
            do {
                try await queueStoryboards()
            } catch is CancellationError {
                return
            } catch {
                logger.warning(
                    "search for titles without a storyboard failed", metadata: ["error": "\(FileErrorText(error))"])
            }
        }
    }

    func queueStoryboards() async throws {
        guard mayNeedStoryboards, await queue.isEmpty else { return }
        mayNeedStoryboards = false
        let (titles, last) = try await catalogue.titlesWithoutStoryboard(
            after: lastStoryboarded, limit: Self.maximumQueuedStoryboardCount)
        // A title that became ready meanwhile may be one of those in front: then the next look begins with them.
        if !mayNeedStoryboards {
            mayNeedStoryboards = titles.count == Self.maximumQueuedStoryboardCount
            lastStoryboarded = mayNeedStoryboards ? last : 0
        }
        for title in titles where unstoryboarded[title.id] != title.revision {
            await enqueue(IngestJob(task: .storyboard, id: title.id, fileName: title.file))
        }
    }

    /// A title without one plays all the same; it is tried again after the next start.
    func makeStoryboard(_ job: IngestJob) async throws -> JobOutcome {
        guard let record = try await catalogue.title(id: job.id), record.storyboard == nil, record.state == .ready,
            let media = record.mediaPath, let duration = record.duration
        else { return .moot }
        if unstoryboarded.count >= MediaFolder.maximumFileCount { unstoryboarded = [:] }
        unstoryboarded[record.id] = record.revision
        let folder = derived.path(.storyboards, id: record.id, revision: record.revision, ending: "")
        try await threadPool.runIfActive { [derived] in try derived.makeFolder(folder) }
        do {
            _ = try await withProgress(of: job) { [worker] report in
                try await worker.run(
                    WorkerRequest(
                        task: .picture(.storyboard(folder: folder, duration: duration, version: record.revision)),
                        input: media, limits: .pictures), onProgress: report)
            }
        } catch {
            await deleteDerived([folder])
            throw error
        }
        let kept = try await catalogue.changePictures(ofTitle: record.id, revision: record.revision) { pictures in
            pictures.storyboard = folder
        }
        guard kept == nil else { return .ended(.ready) }
        // Deleted or replaced while it was being made.
        await deleteDerived([folder])
        return .moot
    }
}

extension TitleRecord {
    /// A sheet of the storyboard, or what tells where the pictures lie.
    package func storyboardFile(named name: String) -> String? { storyboard.map { "\($0)/\(name)" } }
}
