import CAntenaSystem
import CDispatch
import Glibc
import MediaWorker
import NIOCore
import NIOPosix

/// Starts `antena live-worker` with pipes as its standard input and output.
struct LiveWorkerProcessLauncher: LiveWorkerLauncher {
    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ doing: String, _ code: Int32) { description = "cannot \(doing): \(String(cString: strerror(code)))" }
    }

    /// The absolute path of `antena`.
    let executable: String
    /// The threads that start the program, which requires reading it from disk.
    var threadPool = NIOThreadPool.singleton

    /// The environment variables passed to a worker, which must not see the server's secrets.
    private static let inheritedVariables = ["PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH"]

    func launch(
        on eventLoop: any EventLoop, handler: @escaping @Sendable () -> any ChannelHandler & Sendable
    ) -> EventLoopFuture<any LiveWorkerConnection> {
        threadPool.runIfActive(eventLoop: eventLoop) { [executable] in
            try Self.spawn(executable)
        }.flatMap { [threadPool] worker in
            NIOPipeBootstrap(group: eventLoop).channelInitializer { $0.pipeline.addHandler(handler()) }
                .takingOwnershipOfDescriptors(input: worker.output, output: worker.input)
                .map { LiveWorkerProcess(process: worker.process, channel: $0) as any LiveWorkerConnection }
                .flatMapErrorThrowing { error in
                    // The channel has not taken ownership of the descriptors then.
                    close(worker.input)
                    close(worker.output)
                    kill(worker.process, SIGKILL)
                    threadPool.submit { _ in waitpid(worker.process, nil, 0) }
                    throw error
                }
        }
    }

    /// Ignores SIGPIPE, so that writing to an exited worker is an error instead of a signal.
    private static let ignoringBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    private struct Spawned: Sendable {
        var process: pid_t
        var input: CInt
        var output: CInt
    }

    private static func spawn(_ executable: String) throws(Failure) -> Spawned {
        _ = ignoringBrokenPipes
        let input = try makePipe()
        let output: (reading: CInt, writing: CInt)
        do throws(Failure) {
            output = try makePipe()
        } catch {
            close(input.reading)
            close(input.writing)
            throw error
        }
        var process: pid_t = 0
        let result = withStrings(["antena", "live-worker"]) { arguments in
            withStrings(environment()) { environment in
                antena_spawn(executable, arguments, environment, input.reading, output.writing, &process)
            }
        }
        close(input.reading)
        close(output.writing)
        guard result == 0 else {
            close(input.writing)
            close(output.reading)
            throw Failure("start a live worker", result)
        }
        return Spawned(process: process, input: input.writing, output: output.reading)
    }

    private static func makePipe() throws(Failure) -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        guard antena_pipe(&ends) == 0 else { throw Failure("make a pipe", errno) }
        return (ends[0], ends[1])
    }

    private static func environment() -> [String] {
        inheritedVariables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
            + WorkerEnvironment.additions
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies + [nil]).withUnsafeBufferPointer { pointers in
            guard let start = pointers.baseAddress else { preconditionFailure("an array with an end has a start") }
            return body(start)
        }
    }
}
