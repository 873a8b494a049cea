import LibAV
import MediaCore
import Packaging

/// The work on one ladder, done by several workers at once.
struct LadderRun: Sendable {
    let path: String
    let identity: MediaFile.Identity
    let plan: LadderPlan
    let request: LadderRequest
    let folder: LadderStore.Folder
    let worker: any WorkerRunning
    let progress: LadderProgress
    let coreCount: Int

    /// - Throws: ``LibraryError`` where the source is another one by now.
    func checkSource() throws(LibraryError) {
        guard MediaFile.identity(ofFileAt: path) == identity else {
            throw LibraryError(.noSuchFile, "the file has changed while its qualities were made")
        }
    }

    /// Encodes the stretches that are missing.
    func encode() async throws {
        var missing: [LadderPlan.Part] = []
        for part in plan.parts {
            if folder.hasStretch(part.number, request.rungs) {
                progress.finish(part.number, seconds: part.duration)
            } else {
                missing.append(part)
            }
        }
        let turns = LadderTurns(count: missing.count, coreCount: coreCount)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = Array(missing.enumerated())[...]
            func begin() {
                guard let (turn, part) = rest.popFirst() else { return }
                group.addTask { try await encode(part, turns.threadCount(ofTurn: turn)) }
            }
            for _ in 0..<turns.workerCount { begin() }
            while try await group.next() != nil { begin() }
        }
    }

    private func encode(_ part: LadderPlan.Part, _ threadCount: Int) async throws {
        try checkSource()
        let step = LadderWork.Step.encode(number: part.number, encoder: request.encoder, threadCount: threadCount)
        _ = try await run(step, limits: .ladderStretch, number: part.number, seconds: part.duration)
    }

    /// - Parameter share: of the whole work.
    func join(share: Double) async throws -> [LadderManifest.Movie] {
        try checkSource()
        var movies: [LadderManifest.Movie] = []
        for (index, rung) in request.rungs.enumerated() {
            let result = try await run(
                .join(rung: index), limits: .conversion, number: plan.parts.count + index,
                seconds: plan.duration * share / Double(request.rungs.count))
            movies.append(
                LadderManifest.Movie(
                    rung: rung, start: result.firstTime ?? 0, timescale: UInt32(clamping: plan.timescale)))
        }
        return movies
    }

    private func run(
        _ step: LadderWork.Step, limits: WorkerLimits, number: Int, seconds: Double
    ) async throws -> WorkerResult {
        let work = LadderWork(step: step, folder: folder.path, rungs: request.rungs)
        let result = try await worker.run(
            WorkerRequest(task: .ladder(work), input: path, limits: limits),
            onProgress: { [progress] in progress.update(number, seconds: min(1, $0) * seconds) })
        progress.finish(number, seconds: seconds)
        return result
    }
}

/// How workers share the cores.
struct LadderTurns: Sendable, Hashable {
    let workerCount: Int
    private let count: Int
    private let coreCount: Int

    /// - Parameter count: of stretches that about as much work is to be done for.
    init(count: Int, coreCount: Int) {
        self.count = count
        self.coreCount = max(1, coreCount)
        workerCount = min(self.coreCount, count)
    }

    /// One core a worker: nothing waits for another thread. Of those that come last there may be fewer than there are
    /// cores.
    func threadCount(ofTurn turn: Int) -> Int {
        guard workerCount > 0 else { return 1 }
        let remainder = count % workerCount
        let isLast = turn >= count - remainder
        return max(1, coreCount / (isLast && remainder > 0 ? remainder : workerCount))
    }
}
