import CAntenaSystem
import CDispatch
import Glibc
import LibAV
import NIOCore
import NIOPosix
import VODLibrary

/// The body of `antena live-worker`.
package enum LiveWorkerProgram {
    package static func run() -> Int32 { LiveWorker.run() }
}

/// A live worker that runs, and the channel that it is talked to by.
protocol LiveWorkerConnection: Sendable {
    var channel: any Channel { get }
    /// Ends the worker, whatever it is doing, and waits until it is gone. Called once, on the channel's event loop.
    ///
    /// - Returns: how it ended, in words for people.
    func end() -> EventLoopFuture<String>
    /// Processor time that the worker has used so far, all its threads together; `nil` when it cannot be told. Does not
    /// block.
    func processorTime() -> TimeAmount?
}

/// Starts live workers: processes in the server, stand-ins in tests.
protocol LiveWorkerLauncher: Sendable {
    /// - Parameter handler: makes what is put into the channel before anything is read from it.
    func launch(
        on eventLoop: any EventLoop, handler: @escaping @Sendable () -> any ChannelHandler & Sendable
    ) -> EventLoopFuture<any LiveWorkerConnection>
}

/// Runs `antena live-worker`, with pipes as its standard input and output.
struct LiveWorkerProcessLauncher: LiveWorkerLauncher {
    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ doing: String, _ code: Int32) { description = "cannot \(doing): \(String(cString: strerror(code)))" }
    }

    /// Absolute path of `antena`.
    let executable: String
    /// Starting a program reads it from the disk.
    var threadPool = NIOThreadPool.singleton

    /// All that a worker needs of the environment: it must not see the server's secrets.
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
                    // The descriptors are still ours then.
                    close(worker.input)
                    close(worker.output)
                    kill(worker.process, SIGKILL)
                    threadPool.submit { _ in waitpid(worker.process, nil, 0) }
                    throw error
                }
        }
    }

    /// Writing to a worker that has gone is an error, and no signal.
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

/// One process, until it has been waited for.
struct LiveWorkerProcess: LiveWorkerConnection {
    let process: pid_t
    let channel: any Channel

    private static let longestPause = TimeAmount.seconds(1)

    func end() -> EventLoopFuture<String> {
        channel.close(promise: nil)
        // Its number is its own until it has been waited for. One that has ended already keeps its status.
        kill(process, SIGKILL)
        let promise = channel.eventLoop.makePromise(of: String.self)
        wait(pausing: .milliseconds(2), promise)
        return promise.futureResult
    }

    func processorTime() -> TimeAmount? {
        var clock = clockid_t()
        var time = timespec()
        // Of a process that has not been waited for, so its number is nobody else's.
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Without blocking the event loop; a process that the kernel holds on to is asked for once a second.
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
