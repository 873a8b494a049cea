import Synchronization

/// The task of one connection, or of one stream of HTTP/2, from the first request for the router on.
final class RouterTask: Sendable {
    private enum Phase {
        /// It waits for a processor.
        case waiting
        case attended
        /// Its client has gone.
        case abandoned
        case ended
    }

    private let tasks: RouterTasks
    private let phase = Mutex(Phase.waiting)

    /// - Parameter tasks: where it is counted already, as one that waits.
    init(_ tasks: RouterTasks) { self.tasks = tasks }

    deinit { end() }

    /// The task runs.
    func attend() { go { $0 == .waiting ? .attended : $0 } }

    /// The connection has ended, and the task may not know.
    func abandon() { go { $0 == .attended ? .abandoned : $0 } }

    /// The task has ended.
    func end() { go { _ in .ended } }

    private func go(_ next: (Phase) -> Phase) {
        let change = phase.withLock { phase in
            let before = Self.unattendedCount(phase)
            phase = next(phase)
            return Self.unattendedCount(phase) - before
        }
        if change != 0 { tasks.change(by: change) }
    }

    private static func unattendedCount(_ phase: Phase) -> Int { phase == .waiting || phase == .abandoned ? 1 : 0 }
}
