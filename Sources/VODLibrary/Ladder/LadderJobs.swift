import Catalogue
import LibAV

/// Ladders that are to be made, one after the other: each takes all the cores there are. What has been done lies on the
/// disk (``LadderStore``); this is what is going on.
actor LadderJobs {
    struct Job: Sendable, Hashable {
        var titleID: String
        var revision: String
        /// `nil` where the presets of the configuration are meant, and nobody has looked at the title yet.
        var request: LadderRequest?
    }

    private struct Running {
        var job: Job
        var task: Task<Void, any Error>?
        var progress: LadderProgress?
        var isCancelled = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private var queued: [Job] = []
    private var running: Running?
    /// How those ended that have no movies to show for it.
    private var ended: [String: LadderStatus] = [:]
    private var endedOrder: [String] = []
    private var worker: CheckedContinuation<Job?, Never>?
    private var isClosed = false

    /// A library of this many titles is asked for again at the next start.
    static let maximumQueuedCount = 10_000
    /// Failures remembered in memory; those of requests lie on the disk, too.
    static let maximumEndedCount = 1_000

    /// - Returns: false where the queue is full.
    @discardableResult
    func add(_ job: Job) -> Bool {
        guard !isClosed, queued.count < Self.maximumQueuedCount else { return false }
        guard !queued.contains(job), running?.job != job || running?.isCancelled == true else { return true }
        ended[job.titleID] = nil
        // Asked for something else: what waits is not wanted any longer.
        queued.removeAll { $0.titleID == job.titleID }
        if let worker {
            self.worker = nil
            running = Running(job: job)
            worker.resume(returning: job)
        } else {
            queued.append(job)
        }
        return true
    }

    /// The next one, when there is one; `nil` once there will be none. Only one caller waits.
    func next() async -> Job? {
        if isClosed { return nil }
        guard queued.isEmpty else {
            let job = queued.removeFirst()
            running = Running(job: job)
            return job
        }
        return await withCheckedContinuation { worker = $0 }
    }

    /// Runs what is being done, so that it can be cancelled.
    func run(_ work: @escaping @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        // Cancelled between being taken and being begun.
        if running?.isCancelled == true { return .failure(CancellationError()) }
        let task = Task { try await work() }
        running?.task = task
        return await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
    }

    /// What was chosen for it, and how far it is, is known from here on.
    func began(_ request: LadderRequest, progress: LadderProgress) {
        running?.job.request = request
        running?.progress = progress
    }

    var isCancelled: Bool { running?.isCancelled ?? false }

    /// - Parameter error: for people; `nil` where it is whole.
    func finished(error: String?) {
        guard let running else { return }
        self.running = nil
        if running.isCancelled {
            remember(status(of: running.job, .cancelled))
        } else if let error {
            var status = status(of: running.job, .failed)
            status.error = error
            remember(status)
        }
        for continuation in running.waiting { continuation.resume() }
    }

    /// Returns when nothing is done for the title any longer.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func cancel(titleID: String) async -> Bool {
        let count = queued.count
        let waiting = queued.first { $0.titleID == titleID }
        queued.removeAll { $0.titleID == titleID }
        if let waiting { remember(status(of: waiting, .cancelled)) }
        guard running?.job.titleID == titleID else { return queued.count < count }
        running?.isCancelled = true
        running?.task?.cancel()
        await withCheckedContinuation { running?.waiting.append($0) }
        return true
    }

    func close() {
        isClosed = true
        queued = []
        worker?.resume(returning: nil)
        worker = nil
    }

    /// - Returns: `nil` where nothing is, or was, going on.
    func status(titleID: String) -> LadderStatus? {
        if let running, running.job.titleID == titleID {
            var status = status(of: running.job, .transcoding)
            status.progress = running.progress?.fraction ?? 0
            return status
        }
        if let job = queued.first(where: { $0.titleID == titleID }) { return status(of: job, .queued) }
        return ended[titleID]
    }

    func forget(titleID: String) { ended[titleID] = nil }

    private func remember(_ status: LadderStatus) {
        if ended.updateValue(status, forKey: status.titleID) == nil { endedOrder.append(status.titleID) }
        while endedOrder.count > Self.maximumEndedCount { ended[endedOrder.removeFirst()] = nil }
    }

    private func status(of job: Job, _ state: LadderStatus.State) -> LadderStatus {
        LadderStatus(
            titleID: job.titleID, state: state, encoder: job.request?.encoder, rungs: job.request?.rungs ?? [],
            omitted: job.request?.omitted ?? [])
    }
}
