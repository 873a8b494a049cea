import Foundation

/// Jobs in the order in which they are to be done, and those being done.
actor JobQueue {
    private var queued: [IngestJob] = []
    private var running: [IngestJob: Running] = [:]
    private var waiting: [CheckedContinuation<IngestJob?, Never>] = []
    private var isClosed = false

    private struct Running {
        var startedAt: Date
        var state: TitleStateName
        var progress: Double?
    }

    typealias TitleStateName = String

    /// The catalogue remembers what is not yet done, so a full queue loses nothing: the next scan brings it again.
    static let maximumQueuedCount = 10_000

    /// - Returns: false where the job is known already, or the queue is full.
    @discardableResult
    func add(_ job: IngestJob) -> Bool {
        guard !isClosed, queued.count < Self.maximumQueuedCount, running[job] == nil, !queued.contains(job) else {
            return false
        }
        if let next = waiting.popFirst() {
            running[job] = Running(startedAt: Date(), state: "queued")
            next.resume(returning: job)
            return true
        }
        let position = queued.firstIndex { $0.rank > job.rank } ?? queued.endIndex
        queued.insert(job, at: position)
        return true
    }

    /// The next job, when there is one; `nil` once the queue is closed.
    func next() async -> IngestJob? {
        if isClosed { return nil }
        if !queued.isEmpty {
            let job = queued.removeFirst()
            running[job] = Running(startedAt: Date(), state: "queued")
            return job
        }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func finished(_ job: IngestJob) { running.removeValue(forKey: job) }

    func update(_ job: IngestJob, state: String, progress: Double? = nil) {
        running[job]?.state = state
        running[job]?.progress = progress
    }

    func close() {
        isClosed = true
        queued = []
        for continuation in waiting { continuation.resume(returning: nil) }
        waiting = []
    }

    func isBusy(id: String) -> Bool { queued.contains { $0.id == id } || running.keys.contains { $0.id == id } }

    func busyIDs() -> Set<String> { Set(queued.map(\.id)).union(running.keys.map(\.id)) }

    /// 0 to 1 for a job on the title or track that can tell.
    func progress(id: String) -> Double? { running.first { $0.key.id == id && $0.value.progress != nil }?.value.progress }

    func statuses() -> [JobStatus] {
        running.map { job, running in
            JobStatus(
                id: job.id, kind: job.kind, file: job.fileName, state: running.state, progress: running.progress,
                startedAt: running.startedAt)
        }.sorted { ($0.startedAt ?? .distantPast) < ($1.startedAt ?? .distantPast) }
            + queued.map { JobStatus(id: $0.id, kind: $0.kind, file: $0.fileName, state: "queued") }
    }
}

extension IngestJob {
    fileprivate var kind: JobStatus.Kind {
        switch task {
        case .title: .title
        case .track: .track
        case .poster: .poster
        }
    }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
