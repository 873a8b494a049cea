import Catalogue
import JobRunning
import LibraryCore
import MediaCore
import NIOPosix

/// Operators' requests about a title's ladder.
extension LadderJob {
    /// Requests a ladder of a title. Finished chunks of the same request are reused. A ladder that is being made with
    /// other presets is superseded. Completed even if the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - parameters: the presets to choose from, and the limit of the lowest rendition.
    /// - Returns: `nil` if there is no such title.
    /// - Throws: `LibraryError` if none of the presets makes sense for the title; `WorkerFailure`
    func make(ofTitle id: String, _ parameters: LadderParameters, in jobs: JobRunner) async throws -> LadderStatus? {
        guard let record = try await context.catalogue.title(id: id) else { return nil }
        let request = try await request(for: record, parameters)
        guard !request.rungs.isEmpty else {
            let reasons = request.omitted.map { "\($0.preset): \($0.reason)" }.joined(separator: "; ")
            throw LibraryError(.unplayable, "no rendition to make: \(reasons)")
        }
        let text = try parameters.text()
        return try await Task {
            try await queue(request, of: record, parameters: text, in: jobs)
            try await jobs.flush()
            return try await status(ofTitle: id, in: jobs)
        }.value
    }

    /// Cancels the ladder that is being made, or deletes the finished one if none is being made. Completed even if the
    /// calling task is cancelled.
    ///
    /// - Returns: `nil` if there is no such title.
    func drop(ofTitle id: String, in jobs: JobRunner) async throws -> LadderStatus? {
        guard let record = try await context.catalogue.title(id: id) else { return nil }
        return try await Task {
            try await drop(record, in: jobs)
            try await jobs.flush()
            return try await status(ofTitle: id, in: jobs)
        }.value
    }

    /// The state of a title's ladder.
    ///
    /// - Returns: `nil` if there is no such title.
    func status(ofTitle id: String, in jobs: JobRunner) async throws -> LadderStatus? {
        guard let record = try await context.catalogue.title(id: id) else { return nil }
        if let job = await jobs.openRecord(JobKey(kind: kind, subject: id)) {
            let request = chosen[id]
            var status = LadderStatus(titleID: id, state: job.state == .queued ? .queued : .transcoding)
            status.job = job.number
            if status.state == .transcoding { status.progress = job.progress ?? 0 }
            status.encoder = request?.encoder
            status.rungs = request?.rungs ?? []
            status.omitted = request?.omitted ?? []
            return status
        }
        let store = store
        let last = try await context.threadPool.runIfActive {
            store.lastManifest(ofTitle: id, revision: record.revision)
        }
        guard let last, let state = LadderStatus.State(last.ending) else {
            return LadderStatus(titleID: id, state: .none)
        }
        var status = LadderStatus(titleID: id, state: state)
        status.error = last.error
        status.encoder = last.request.encoder
        status.rungs = last.request.rungs
        status.omitted = last.request.omitted
        return status
    }
}
