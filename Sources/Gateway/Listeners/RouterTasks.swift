import Synchronization

/// Counts the tasks of the router that nobody attends to: those whose turn on a processor has not come yet, and those
/// whose client has gone and that have not noticed. Event loops make them faster than processors that are busy with
/// attackers work them off, and each takes ``RequestCost/task``; so there is a limit.
final class RouterTasks: Sendable {
    private let maximumCount: Int
    private let count = Atomic(0)

    /// Limit of such tasks. It is above what a crowd leaves that closes its connections at once.
    static let maximumUnattendedCount = 1_024

    /// - Parameter maximumCount: the limit; tests have a smaller one.
    init(maximumCount: Int = RouterTasks.maximumUnattendedCount) { self.maximumCount = maximumCount }

    /// Tasks that nobody attends to now.
    var unattendedCount: Int { count.load(ordering: .relaxed) }

    /// Makes a place for the task of a connection, or of a stream.
    ///
    /// - Returns: `nil` if there is none; the request has to be refused then.
    func begin() -> RouterTask? {
        guard count.add(1, ordering: .relaxed).newValue <= maximumCount else {
            change(by: -1)
            return nil
        }
        return RouterTask(self)
    }

    fileprivate func change(by change: Int) { count.add(change, ordering: .relaxed) }
}

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

    fileprivate init(_ tasks: RouterTasks) { self.tasks = tasks }

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
