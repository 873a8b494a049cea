import CAntenaSystem
import CDispatch
import Glibc
import NIOCore

/// A worker process that has not been waited for yet.
struct LiveWorkerProcess: LiveWorkerConnection {
    let process: pid_t
    let channel: any Channel

    private static let longestPause = Duration.seconds(1)

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
        // The process has not been waited for, so its ID cannot belong to another process.
        let time = antena_processor_time(process)
        return time < 0 ? nil : .nanoseconds(time)
    }

    /// Polls for the exit without blocking the event loop; a process that the kernel does not release is polled once
    /// per second.
    private func wait(pausing pause: TimeAmount, _ promise: EventLoopPromise<String>) {
        var status: Int32 = 0
        let result = waitpid(process, &status, WNOHANG)
        guard result == 0 else { return promise.succeed(result < 0 ? "it had already exited" : Self.describe(status)) }
        channel.eventLoop.scheduleTask(in: pause) {
            wait(pausing: min(.nanoseconds(pause.nanoseconds * 2), TimeAmount(Self.longestPause)), promise)
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
