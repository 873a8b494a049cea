import SystemPackage
import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage

/// Why a worker's job failed, in words for people; names the file.
package struct WorkerFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package var reason: String

    package init(reason: String) { self.reason = reason }

    package var description: String { reason }
}

/// The server's side of a worker: starts it, follows it, and ends it when it is overdue or no longer wanted.
package struct WorkerProcess {
    /// A `probed` line holds at most `InputFile.maximumTagCount` tags.
    static let maximumLineByteCount = 1 << 20
    /// Of standard error, kept for the message about a crash.
    static let maximumErrorTailByteCount = 4096
    /// Over the worker's own deadline, at which it should have ended by itself.
    static let graceSeconds = 15
    /// All that a worker needs of the environment: it must not see the server's secrets.
    private static let inheritedVariables = [
        "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH",
        // Which driver, and which card.
        "LIBVA_DRIVER_NAME", "LIBVA_DRIVERS_PATH", "CUDA_VISIBLE_DEVICES",
    ]

    /// A worker that dies before it has read its request must not take the server along.
    private static let ignoringBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// Runs one request to its end.
    ///
    /// Throws ``WorkerFailure``, or `CancellationError` when the task is cancelled; the process is gone then, and with
    /// it what it had half written.
    ///
    /// - Parameters:
    ///   - executable: Absolute path of `antena`.
    ///   - onEvent: Called in order for every event but `done` and `failed`.
    package static func run(
        _ request: WorkerRequest,
        executable: String,
        arguments: [String] = ["ingest-worker"],
        onEvent: @escaping @Sendable (WorkerEvent) -> Void
    ) async throws -> WorkerResult {
        do {
            return try await follow(request, executable: executable, arguments: arguments, onEvent: onEvent)
        } catch {
            removePartialOutput(of: request)
            if Task.isCancelled { throw CancellationError() }
            if let failure = error as? WorkerFailure { throw failure }
            throw WorkerFailure(reason: "\(IngestWorker.fileName(request)): the worker could not be run: \(error)")
        }
    }

    private static func follow(
        _ request: WorkerRequest,
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
                // By hand: Subprocess 1.0.2 traps where its own `.array` input meets a process that does not read.
                group.addTask {
                    _ = try? await execution.standardInputWriter.write(line)
                    try? await execution.standardInputWriter.finish()
                    return .requestWritten
                }
                group.addTask { .outcome(try await lastEvent(of: execution.standardOutput, request, onEvent)) }
                group.addTask { .errorTail(try await tail(of: execution.standardError)) }
                group.addTask {
                    try await Task.sleep(for: .seconds(request.limits.wallClockSeconds + graceSeconds))
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
        of output: SubprocessOutputSequence, _ request: WorkerRequest, _ onEvent: @Sendable (WorkerEvent) -> Void
    ) async throws -> WorkerEvent? {
        let decoder = JSONDecoder()
        var pending: [UInt8] = []
        var outcome: WorkerEvent?
        for try await buffer in output {
            buffer.withUnsafeBytes { pending.append(contentsOf: $0) }
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(pending[..<end])
                pending.removeSubrange(...end)
                guard let event = try? decoder.decode(WorkerEvent.self, from: line) else {
                    throw WorkerFailure(
                        reason: "\(IngestWorker.fileName(request)): the worker wrote something that is no event")
                }
                switch event {
                case .done, .failed: outcome = event
                default: onEvent(event)
                }
            }
            guard pending.count <= maximumLineByteCount else {
                throw WorkerFailure(reason: "\(IngestWorker.fileName(request)): the worker wrote an endless line")
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
        let lastLine = errorTail.split(whereSeparator: \.isNewline).last.map { "; its last words: \($0)" } ?? ""
        switch status {
        case .signaled(SIGXCPU):
            return WorkerFailure(
                reason: "\(file): took more than \(request.limits.cpuSeconds) s of processor time")
        case .signaled(let signal):
            return WorkerFailure(
                reason: "\(file): the worker was killed by \(name(of: signal)) while reading it\(lastLine)")
        case .exited(let code):
            return WorkerFailure(
                reason: "\(file): the worker ended with status \(code) and no result\(lastLine)")
        }
    }

    private static func name(of signal: Int32) -> String {
        let names = [
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
            SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP",
        ]
        return names[signal] ?? "signal \(signal)"
    }

    /// "NAME=value" with C's final zero, as Subprocess wants it.
    private static func environment() -> [[UInt8]] {
        inheritedVariables.compactMap { name in
            getenv(name).map { Array("\(name)=".utf8) + Array(String(cString: $0).utf8) + [0] }
        }
    }

    /// A worker that was killed could not do it itself.
    private static func removePartialOutput(of request: WorkerRequest) {
        let outputs: [String]
        switch request.task {
        case .probe: outputs = []
        case .toMovie(let output), .toTranscodedMovie(let output), .toAudioMovie(let output), .poster(let output, _),
            .slate(let output, _):
            outputs = [output]
        case .picture(let work): outputs = work.outputs
        case .cover(let output): outputs = ["jpg", "png", "gif", "webp"].map { "\(output).\($0)" }
        case .ladder(let work): outputs = work.outputs.flatMap { [$0, $0 + AtomicOutput.jointSuffix] }
        }
        for output in outputs { unlink(output + AtomicOutput.partialSuffix) }
    }
}
