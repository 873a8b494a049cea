import Synchronization
import MediaCore

/// A granted part of the budget; returned when the last reference to it is released.
final class DeliveryClaim: Sendable {
    private let budget: DeliveryBudget
    private let group: AddressGroup
    private let groupByteCount: Int
    private let byteCount: Mutex<Int>

    init(_ budget: DeliveryBudget, _ demand: DeliveryBudget.Demand, _ group: AddressGroup) {
        self.budget = budget
        self.group = group
        groupByteCount = demand.byteCount
        byteCount = Mutex(demand.isShared ? 0 : demand.byteCount)
    }

    deinit { budget.release(byteCount.withLock { $0 }, groupByteCount, group) }

    /// Turns the claim into a charge for the finished resource, which may outlive this request because others share it.
    /// Making the resource took more memory than it uses.
    ///
    /// - Parameter byteCount: size of the resource.
    func charge(_ byteCount: Int) -> DeliveryCharge {
        let (moved, rest) = self.byteCount.withLock { claimed in
            let moved = min(claimed, byteCount)
            let rest = claimed - moved
            claimed = 0
            return (moved, rest)
        }
        if rest > 0 { budget.release(rest, 0, group) }
        return DeliveryCharge(budget, moved, group)
    }
}
