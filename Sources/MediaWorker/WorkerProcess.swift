import FoundationEssentials
import Glibc
import NIOPosix
import Subprocess
import SystemPackage

/// The server's side of a worker: starts it, follows its output, and ends it when it exceeds its deadline or is no
/// longer needed.
package struct WorkerProcess {
    /// Limit on the bytes of a line. A `probed` line has at most `InputFile.maximumTagCount` tags.
    static let maximumLineByteCount = 1 << 20
    /// Bytes of standard error that are kept for the message about a crash.
    static let maximumErrorTailByteCount = 4096
    /// Seconds after the worker's own deadline, at which it should have ended by itself.
    static let grace = Duration.seconds(15)
    /// The environment variables that a worker inherits; it must not see the server's secrets.
    private static let inheritedVariables = [
        "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH",
        // These select the driver and the graphics card.
        "LIBVA_DRIVER_NAME", "LIBVA_DRIVERS_PATH", "CUDA_VISIBLE_DEVICES",
    ]

    /// Prevents a worker that dies before it has read its request from ending the server with a signal.
    private static let ignoringBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// Runs one request to its end.
    ///
    /// Throws ``WorkerFailure``, or `CancellationError` if the task is cancelled. The process has then ended, and its
    /// unfinished files are deleted.
    ///
    /// - Parameters:
    ///   - request: the work.
    ///   - executable: absolute path of `antena`.
    ///   - arguments: the arguments that make the program a worker.
    ///   - threads: the threads on which the job's folder is made and removed, and its output is flushed to the disk.
    ///   - onEvent: called in order for every event except `done` and `failed`.
    package static func run(
        _ request: WorkerRequest,
        executable: String,
        arguments: [String] = ["ingest-worker"],
        threads: WorkerThreads = WorkerThreads(shared: .singleton),
        onEvent: @escaping @Sendable (WorkerEvent) -> Void
    ) async throws -> WorkerResult {
        do {
            let folder = try await threads.folders.runIfActive {
                try request.stagingParent.map { try WorkerFolder(in: $0, subfolder: request.stagingSubfolder) }
            }
            do {
                let result = try await follow(
                    folder.map { request.redirected(to: $0.path) } ?? request, folder: folder?.path,
                    executable: executable, arguments: arguments, onEvent: onEvent)
                if let folder {
                    // This flushes gigabytes to the disk.
                    try await threads.flushing.runIfActive { try folder.adopt(request.outputs(cover: result.cover)) }
                }
                await threads.folders.runToEnd { folder?.remove() }
                return result
            } catch {
                await threads.folders.runToEnd { folder?.remove() }
                throw error
            }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            if let failure = error as? WorkerFailure { throw failure }
            if error is WorkerFolder.Failure {
                throw WorkerFailure(reason: "\(IngestWorker.fileName(request)): \(error)")
            }
            throw WorkerFailure(
                reason: "\(IngestWorker.fileName(request)): the worker could not be run: \(error)",
                systemError: (error as? SubprocessError)?.underlyingError?.rawValue)
        }
    }

    private static func follow(
        _ request: WorkerRequest,
        folder: String?,
        executable: String,
        arguments: [String],
        onEvent: @escaping @Sendable (WorkerEvent) -> Void
    ) async throws -> WorkerResult {
        _ = ignoringBrokenPipes
        let line = try Array(JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
        let result = try await Subprocess.run(
            .path(FilePath(executable)), arguments: Arguments(arguments), environment: .custom(environment()),
            input: .inputWriter, output: .sequence, error: .sequence
        ) { execution in
            try await withThrowingTaskGroup(of: Finding.self) { group in
                // Written by hand, because Subprocess 1.0.2 traps if its own `.array` input meets a process that does
                // not read.
                group.addTask {
                    _ = try? await execution.standardInputWriter.write(line)
                    try? await execution.standardInputWriter.finish()
                    return .requestWritten
                }
                group.addTask { .outcome(try await lastEvent(of: execution.standardOutput, request, folder, onEvent)) }
                group.addTask { .errorTail(try await tail(of: execution.standardError)) }
                group.addTask {
                    try await Task.sleep(for: .seconds(request.limits.wallClockSeconds) + grace)
                    throw WorkerFailure(reason: IngestWorker.overdueReason(request))
                }
                var findings = (outcome: WorkerEvent?.none, errorTail: "")
                for _ in 0..<3 {
                    switch try await group.next() {
                    case .outcome(let event): findings.outcome = event
                    case .errorTail(let text): findings.errorTail = text
                    case .requestWritten, nil: break
                    }
                }
                group.cancelAll()
                // The worker has closed its output, so it has nothing more to say. A worker that does not exit would
                // block its lane forever; one that is about to exit keeps its status.
                try? execution.send(signal: .kill)
                return findings
            }
        }
        try Task.checkCancellation()
        switch result.closureResult.outcome {
        case .done(let done) where result.terminationStatus.isSuccess: return done
        case .failed(let reason): throw WorkerFailure(reason: reason)
        default: throw crash(result.terminationStatus, result.closureResult.errorTail, request)
        }
    }

    private enum Finding: Sendable {
        case requestWritten
        case outcome(WorkerEvent?)
        case errorTail(String)
    }

    /// Passes events on and returns the last one, if it ends the job.
    private static func lastEvent(
        of output: SubprocessOutputSequence, _ request: WorkerRequest, _ folder: String?,
        _ onEvent: @Sendable (WorkerEvent) -> Void
    ) async throws -> WorkerEvent? {
        let decoder = JSONDecoder()
        var pending: [UInt8] = []
        var outcome: WorkerEvent?
        var budget = WorkerEventBudget(now: .now)
        for try await buffer in output {
            // The pending bytes contain no line end.
            let scanned = pending.count
            buffer.withUnsafeBytes { pending.append(contentsOf: $0) }
            var start = 0
            var search = scanned
            while let end = pending[search...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(pending[start..<end])
                (start, search) = (end + 1, end + 1)
                guard let event = try? decoder.decode(WorkerEvent.self, from: line).checked(folder: folder) else {
                    throw WorkerFailure(
                        reason: "\(IngestWorker.fileName(request)): the worker sent a message that is not valid")
                }
                guard budget.take(now: .now) else {
                    throw WorkerFailure(reason: "\(IngestWorker.fileName(request)): the worker sends too many messages")
                }
                switch event {
                case .done, .failed: outcome = event
                default: onEvent(event)
                }
            }
            pending.removeFirst(start)
            guard pending.count <= maximumLineByteCount else {
                throw WorkerFailure(
                    reason: "\(IngestWorker.fileName(request)): the worker wrote a line that is too long")
            }
        }
        return outcome
    }

    private static func tail(of errors: SubprocessOutputSequence) async throws -> String {
        var bytes: [UInt8] = []
        for try await buffer in errors {
            buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
            if bytes.count > maximumErrorTailByteCount { bytes.removeFirst(bytes.count - maximumErrorTailByteCount) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func crash(_ status: TerminationStatus, _ errorTail: String, _ request: WorkerRequest)
        -> WorkerFailure
    {
        let file = IngestWorker.fileName(request)
        let lastLine = TagText.clean(errorTail.split(whereSeparator: \.isNewline).last.map(String.init)).map {
            "; its last output: \($0)"
        }
        let words = lastLine ?? ""
        switch status {
        case .signaled(SIGXCPU):
            return WorkerFailure(
                reason: "\(file): took more than \(request.limits.cpuSeconds) s of processor time")
        case .signaled(let signal):
            return WorkerFailure(
                reason: "\(file): the worker was killed by \(name(of: signal)) while reading it\(words)")
        case .exited(let code):
            return WorkerFailure(
                reason: "\(file): the worker ended with status \(code) and no result\(words)")
        }
    }

    private static func name(of signal: Int32) -> String {
        let names = [
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
            SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP",
        ]
        return names[signal] ?? "signal \(signal)"
    }

    /// The environment as "NAME=value" with C's final zero, the form that Subprocess requires.
    private static func environment() -> [[UInt8]] {
        let inherited = inheritedVariables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        return (inherited + WorkerEnvironment.additions).map { Array($0.utf8) + [0] }
    }
}
