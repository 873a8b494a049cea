import LibraryCore
import MediaCore
import MediaWorker
import NIOPosix
import Packaging
import Transcoding

/// The work on one ladder, divided among several workers.
struct LadderRun: Sendable {
    let path: String
    let identity: MediaFile.Identity
    let plan: LadderPlan
    let request: LadderRequest
    let folder: LadderStore.Folder
    let worker: any WorkerRunning
    let progress: LadderProgress
    /// Number of workers that run at the same time.
    let workerCount: Int
    /// Number of cores that the encoders may use together.
    let coreCount: Int
    let threadPool: NIOThreadPool
    let files: LibraryFiles

    /// Checks that the source is still the same file.
    ///
    /// - Throws: `LibraryError` if the source has changed.
    func checkSource() async throws {
        guard try await threadPool.runIfActive({ files.currentIdentity(path) }) == identity else {
            throw LibraryError(.noSuchFile, "the file changed while its renditions were made")
        }
    }

    /// Encodes the chunks that are missing.
    func encode() async throws {
        let (parts, folder, rungs) = (plan.parts, folder, request.rungs)
        let missing = try await threadPool.runIfActive { parts.filter { !folder.files.hasChunk($0.name, rungs) } }
        let missingNumbers = Set(missing.map(\.number))
        for part in parts where !missingNumbers.contains(part.number) {
            progress.finish(part.number, seconds: part.duration)
        }
        let turns = LadderTurns(count: missing.count, workerCount: workerCount, coreCount: coreCount)
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
        try await checkSource()
        let step = LadderWork.Step.encode(part: part.name, encoder: request.encoder, threadCount: threadCount)
        _ = try await run(
            step, limits: .ladderChunk(encoder: request.encoder), number: part.number, seconds: part.duration)
    }

    /// Encodes the audio that the request asks for. What has been encoded before a restart is encoded again: it takes a
    /// hundredth of the audio's duration.
    ///
    /// - Returns: `nil` if the request asks for none.
    func encodeAudio() async throws -> [LadderManifest.Audio]? {
        guard let members = request.audio else { return nil }
        try await checkSource()
        var made: [LadderManifest.Audio] = []
        for (number, names) in members.enumerated() {
            guard let source = names.first else { continue }
            let result = try await worker.run(
                WorkerRequest(
                    task: .ladder(work(.audio(number: number, source: source))), input: path, limits: .conversion),
                onProgress: { _ in })
            made.append(LadderManifest.Audio(replaced: names, delay: result.firstTime ?? 0))
        }
        return made
    }

    /// Encodes one rendition again with other parameters.
    func again(_ rung: LadderRung) async throws -> LadderManifest.Movie {
        var request = request
        request.rungs = [rung]
        let run = LadderRun(
            path: path, identity: identity, plan: plan, request: request, folder: folder, worker: worker,
            progress: LadderProgress(total: plan.duration) { _ in }, workerCount: workerCount, coreCount: coreCount,
            threadPool: threadPool, files: files)
        try await run.encode()
        guard let movie = try await run.join(share: 1).first else {
            throw LibraryError(.storage, "no rendition was made")
        }
        return movie
    }

    /// Joins the chunks of each rendition into a movie.
    ///
    /// - Parameter share: the share of the whole work, for the progress.
    func join(share: Double) async throws -> [LadderManifest.Movie] {
        try await checkSource()
        var starts = [Int64](repeating: 0, count: request.rungs.count)
        // Several renditions at once, because a short clip takes mostly the time to start the workers.
        try await withThrowingTaskGroup(of: (Int, Int64).self) { group in
            var rest = request.rungs.indices
            func begin() {
                guard let index = rest.popFirst() else { return }
                group.addTask { (index, try await join(index, share: share)) }
            }
            for _ in 0..<max(1, coreCount) { begin() }
            while let (index, start) = try await group.next() {
                starts[index] = start
                begin()
            }
        }
        return zip(request.rungs, starts).map { rung, start in
            LadderManifest.Movie(rung: rung, start: start, timescale: UInt32(clamping: plan.timescale))
        }
    }

    /// Joins the chunks of one rendition.
    ///
    /// - Returns: presentation time of the first frame, in ticks.
    private func join(_ rung: Int, share: Double) async throws -> Int64 {
        let result = try await run(
            .join(rung: rung), limits: .conversion, number: plan.parts.count + rung,
            seconds: plan.duration * share / Double(request.rungs.count))
        return result.firstTime ?? 0
    }

    private func run(
        _ step: LadderWork.Step, limits: WorkerLimits, number: Int, seconds: Double
    ) async throws -> WorkerResult {
        let result = try await worker.run(
            WorkerRequest(task: .ladder(work(step)), input: path, limits: limits),
            onProgress: { [progress] in progress.update(number, seconds: min(1, $0) * seconds) })
        progress.finish(number, seconds: seconds)
        return result
    }

    private func work(_ step: LadderWork.Step) -> LadderWork {
        LadderWork(step: step, folder: folder.path, rungs: request.rungs, workerCount: plan.workerCount)
    }
}
