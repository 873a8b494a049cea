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
    func attend() { go(to: .attended, from: [.waiting]) }

    /// The connection has ended, and the task may not know.
    func abandon() { go(to: .abandoned, from: [.attended]) }

    /// The task has ended.
    func end() { go(to: .ended, from: [.waiting, .attended, .abandoned]) }

    private func go(to next: Phase, from former: Set<Phase>) {
        let change = phase.withLock { phase in
            guard former.contains(phase) else { return 0 }
            let before = Self.isUnattended(phase)
            phase = next
            return (Self.isUnattended(next) ? 1 : 0) - (before ? 1 : 0)
        }
        if change != 0 { tasks.change(by: change) }
    }

    private static func isUnattended(_ phase: Phase) -> Bool { phase == .waiting || phase == .abandoned }
}
