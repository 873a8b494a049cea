import Logging
import NIOCore
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ends the process where the graceful way out takes too long: an operator's `stop` is a promise.
struct ShutdownDeadline: Service {
    /// Issue 2, item 10.
    static let total = TimeAmount.seconds(5)
    /// For requests in flight; after it, what is left is cancelled.
    static let graceful = Duration.seconds(3)
    /// Leaves the time that the process itself takes to end.
    private static let margin = TimeAmount.milliseconds(400)

    let eventLoop: any EventLoop
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        logger.info("stopping: SIGTERM or SIGINT received; requests in flight are finished")
        let logger = logger
        eventLoop.scheduleTask(in: Self.total - Self.margin) {
            logger.error("something did not stop in time; ending without it")
            _exit(1)
        }
    }
}
