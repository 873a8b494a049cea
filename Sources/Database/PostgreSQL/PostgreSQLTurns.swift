import Foundation

/// Lets a change that was refused because of another one be repeated while no other change of this program runs, so
/// that it is not refused again and again.
///
/// PostgreSQL notes what a serializable transaction has read by the page of an index. In small tables all rows are in
/// one page, so that changes of different rows are taken for changes of the same one.
///
/// Safe to share: everything that changes is read and written while `condition` is locked.
final class PostgreSQLTurns: @unchecked Sendable {
    private let condition = NSCondition()
    /// Number of changes that run, with one that is alone.
    private var runningCount = 0
    private var isAlone = false
    /// Number of those who wait until they are alone. Nobody else begins before them.
    private var waitingCount = 0

    /// Seconds after which nobody waits any longer: a change that takes long, such as a migration, keeps no others
    /// waiting.
    private let patience: Double

    init(patience: Double = 0.1) { self.patience = patience }

    /// Whether somebody waits until they are alone.
    var hasWaiting: Bool {
        condition.lock()
        defer { condition.unlock() }
        return waitingCount > 0
    }

    /// Waits for a turn; ``end()`` has to follow.
    ///
    /// - Parameter alone: whether no other change should run meanwhile.
    func begin(alone: Bool) {
        let end = Date(timeIntervalSinceNow: patience)
        condition.lock()
        defer { condition.unlock() }
        if alone { waitingCount += 1 }
        while isAlone || (alone ? runningCount > 0 : waitingCount > 0), condition.wait(until: end) {}
        if alone {
            waitingCount -= 1
            if runningCount == 0 { isAlone = true }
            // Those who waited for this one may begin, if it begins beside others.
            condition.broadcast()
        }
        runningCount += 1
    }

    func end() {
        condition.lock()
        defer { condition.unlock() }
        runningCount -= 1
        if runningCount == 0 { isAlone = false }
        condition.broadcast()
    }
}
