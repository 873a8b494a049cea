import CAntenaSystem
import CDispatch
import Glibc
import NIOCore
import NIOPosix
import Transcoding
import VODLibrary

/// The implementation of `antena live-worker`.
package enum LiveWorkerProgram {
    /// Runs the worker until its input ends.
    ///
    /// - Returns: the exit status.
    package static func run() -> Int32 { LiveWorker.run() }
}

/// A running live worker and the channel to it.
protocol LiveWorkerConnection: Sendable {
    var channel: any Channel { get }
    /// Kills the worker and waits until it has exited. Called once, on the channel's event loop.
    ///
    /// - Returns: a human-readable description of how it ended.
    func end() -> EventLoopFuture<String>
    /// The processor time that all threads of the worker have used so far; `nil` if it is not known. Does not block.
    func processorTime() -> TimeAmount?
}

/// Starts live workers: processes in the server, fakes in tests.
protocol LiveWorkerLauncher: Sendable {
    /// Starts a worker.
    ///
    /// - Parameter handler: creates the handler that is added to the channel before anything is read from it.
    func launch(
        on eventLoop: any EventLoop, handler: @escaping @Sendable () -> any ChannelHandler & Sendable
    ) -> EventLoopFuture<any LiveWorkerConnection>
}

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

/// A worker process that has not been waited for yet.
struct LiveWorkerProcess: LiveWorkerConnection {
    let process: pid_t
    let channel: any Channel

    private static let longestPause = TimeAmount.seconds(1)

    func end() -> EventLoopFuture<String> {
        channel.close(promise: nil)
        // The process ID stays valid until the process has been waited for. A process that has already exited keeps its
        // status.
        kill(process, SIGKILL)
        let promise = channel.eventLoop.makePromise(of: String.self)
        wait(pausing: .milliseconds(2), promise)
        return promise.futureResult
    }

    func processorTime() -> TimeAmount? {
        var clock = clockid_t()
        var time = timespec()
        // The process has not been waited for, so its ID cannot belong to another process.
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Polls for the exit without blocking the event loop; a process that the kernel does not release is polled once
    /// per second.
    private func wait(pausing pause: TimeAmount, _ promise: EventLoopPromise<String>) {
        var status: Int32 = 0
        let result = waitpid(process, &status, WNOHANG)
        guard result == 0 else { return promise.succeed(result < 0 ? "it was gone" : Self.describe(status)) }
        channel.eventLoop.scheduleTask(in: pause) {
            wait(pausing: min(.nanoseconds(pause.nanoseconds * 2), Self.longestPause), promise)
        }
    }

    private static func describe(_ status: Int32) -> String {
        let signal = status & 0x7f
        guard signal != 0 else { return "it ended with status \(status >> 8 & 0xff)" }
        let names = [
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
            SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP",
        ]
        return "it was killed by \(names[signal] ?? "signal \(signal)")"
    }
}
