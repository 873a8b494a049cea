import Synchronization

/// The number of qualities that all channels together may encode at the same time.
package final class TranscodingSlots: Sendable {
    /// Slots for each processor where nobody has said how many: a quality of 480p takes about a tenth of one.
    package static let slotsPerProcessor = 4

    package let count: Int
    private let used = Mutex(0)

    /// - Parameter count: the number; 0 for none.
    package init(_ count: Int) { self.count = count }

    /// Takes slots.
    ///
    /// - Parameter wanted: the largest number.
    /// - Returns: how many the caller has now, and has to give back.
    func take(_ wanted: Int) -> Int {
        used.withLock { used in
            let granted = max(0, min(wanted, count - used))
            used += granted
            return granted
        }
    }

    func giveBack(_ returned: Int) { used.withLock { $0 -= returned } }

    /// The slots that are taken.
    package var usedCount: Int { used.withLock { $0 } }
}
