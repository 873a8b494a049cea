import MediaCore

/// The part of the budget used by a resource that several requests and a cache may hold; returned when the last of them
/// releases it.
final class DeliveryCharge: Sendable {
    private let budget: DeliveryBudget
    private let group: AddressGroup
    private let byteCount: Int

    init(_ budget: DeliveryBudget, _ byteCount: Int, _ group: AddressGroup) {
        self.budget = budget
        self.byteCount = byteCount
        self.group = group
    }

    deinit { budget.release(byteCount, 0, group) }
}
