import FoundationEssentials
import Glibc
import LibAV
import MediaCore

/// The body of `antena ingest-worker`: one task on one file, in a process that has given up the rights it does not
/// need.
package enum IngestWorker {
    /// Limit on the size of a request, which consists of a few paths and numbers.
    static let maximumRequestByteCount = 64 << 10
    /// Seconds that a task which does not notice the deadline gets after it.
    static let grace = Duration.seconds(5)

    /// Reads a ``WorkerRequest`` from standard input and writes ``WorkerEvent`` lines to standard output.
    ///
    /// Returns the exit status: 0 after `done`, 1 after `failed`, 2 if there was no valid request.
    package static func run() -> Int32 {
        // A closed reader is noticed by the failing write, and a file that grows too large by EFBIG.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let events = WorkerEventWriter(descriptor: STDOUT_FILENO)
        guard let request = readRequest() else {
            events.write(.failed(reason: "ingest-worker expects one JSON request on standard input"))
            return 2
        }
        do {
            // Loaded before the limits are set: the libraries are trusted, and a limit that is too low for them should
            // not look as if they were missing.
            try LibAVRuntime.load()
            if let reason = WorkerConfinement.apply(request) {
                events.write(.failed(reason: "cannot limit the worker: \(reason)"))
                return 1
            }
            let deadline = ContinuousClock.now + .seconds(request.limits.wallClockSeconds)
            WorkerConfinement.watch(
                events: events, after: .seconds(request.limits.wallClockSeconds) + grace,
                overdue: overdueReason(request))
            events.write(.started(version: LibAVRuntime.version))
            let task = WorkerTask(
                request: request, interruption: Interruption { ContinuousClock.now >= deadline }, events: events)
            events.write(.done(try task.run()))
            return 0
        } catch {
            events.write(.failed(reason: reason(for: error, request)))
            return 1
        }
    }

    private static func readRequest() -> WorkerRequest? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < maximumRequestByteCount, !bytes.contains(UInt8(ascii: "\n")) {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes.append(contentsOf: piece[..<count])
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return try? JSONDecoder().decode(WorkerRequest.self, from: Data(line))
    }

    private static func reason(for error: any Error, _ request: WorkerRequest) -> String {
        guard let error = error as? LibAVError else { return "\(fileName(request)): \(error)" }
        return switch error.code {
        case .outOfMemory:
            "\(fileName(request)): exceeded its memory limit of \(request.limits.addressSpaceByteCount >> 20) MiB"
        case .interrupted: overdueReason(request)
        default: error.file == nil ? "\(fileName(request)): \(error)" : "\(error)"
        }
    }

    static func overdueReason(_ request: WorkerRequest) -> String {
        "\(fileName(request)): took longer than \(request.limits.wallClockSeconds) s"
    }

    static func fileName(_ request: WorkerRequest) -> String {
        request.input.isEmpty ? "slate" : request.input.pathComponents.last.map(String.init) ?? request.input
    }
}
