import Synchronization

/// The number of samples that the tracks of a movie may still have, shared between them.
final class SampleLimit: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// - Returns: false if fewer are left; nothing is taken then.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
    }
}
