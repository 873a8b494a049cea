import Synchronization

/// A limit of the pages that listen at once.
final class ListenerLimit: Sendable {
    private let count = Mutex(0)
    private let limit: Int

    init(_ limit: Int) { self.limit = limit }

    /// A listener's place, which is free again when nobody has it any more, whether its response was sent or not.
    final class Place: Sendable {
        private let counted: ListenerLimit

        fileprivate init(_ counted: ListenerLimit) { self.counted = counted }

        deinit { counted.count.withLock { $0 -= 1 } }
    }

    /// - Returns: `nil` if all places are taken.
    func enter() -> Place? {
        let hasRoom = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return hasRoom ? Place(self) : nil
    }
}
