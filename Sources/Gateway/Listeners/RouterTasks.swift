import Synchronization

/// Counts the tasks of the router that nobody attends to: those whose turn on a processor has not come yet, and those
/// whose client has gone and that have not noticed. Event loops make them faster than processors that are busy with
/// attackers work them off, and each takes up to 24 KB; so there is a limit.
final class RouterTasks: Sendable {
    private let maximumCount: Int
    private let count = Atomic(0)

    /// Limit of such tasks: a crowd that asks for a page in the same second is served.
    static let maximumUnattendedCount = 16_384

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

    /// Counts a task that `RouterTask` has moved from one phase to another.
    func change(by change: Int) { count.add(change, ordering: .relaxed) }
}
