import Logging
import NIOCore
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ends the process if a graceful shutdown takes too long, so that stopping the server always works.
struct ShutdownDeadline: Service {
    /// Maximum time from the stop signal to the end of the process.
    static let total = Duration.seconds(5)
    /// Time for requests in flight; after it, the remaining ones are cancelled.
    static let graceful = Duration.seconds(3)
    /// Time reserved for the process itself to end.
    private static let margin = Duration.milliseconds(400)

    let eventLoop: any EventLoop
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        logger.info("stopping on SIGTERM or SIGINT; finishing requests in flight")
        let logger = logger
        eventLoop.scheduleTask(in: TimeAmount(Self.total - Self.margin)) {
            logger.error("shutdown timed out; ending the process")
            _exit(1)
        }
    }
}
