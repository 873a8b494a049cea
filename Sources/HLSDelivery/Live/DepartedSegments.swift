import MediaCore
import Synchronization

/// Live segments that have left their window while clients still receive them. From then on they count towards the
/// delivery budget, each once, however many clients hold it.
final class DepartedSegments: Sendable {
    private struct Entry {
        weak var claim: DeliveryClaim?
    }

    private let entries = Mutex([LiveHolding.Key: Entry]())

    /// Claims the memory of a departed segment.
    ///
    /// - Parameter group: the client's address, whose share is used unless another client's is used already.
    /// - Returns: the claim to hold until the client has received its response; `nil` if the budget does not allow it
    ///   and the client has to be disconnected.
    func claim(_ holding: LiveHolding, of group: AddressGroup, in budget: DeliveryBudget) -> DeliveryClaim? {
        entries.withLock { entries in
            if let claim = entries[holding.key]?.claim { return claim }
            guard let claim = budget.claimAtOnce(.init(byteCount: holding.byteCount), of: group) else { return nil }
            entries = entries.filter { $0.value.claim != nil }
            entries[holding.key] = Entry(claim: claim)
            return claim
        }
    }
}
