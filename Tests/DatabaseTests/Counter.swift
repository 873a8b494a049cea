import Synchronization

/// Counts from any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    /// - Returns: the new value.
    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
