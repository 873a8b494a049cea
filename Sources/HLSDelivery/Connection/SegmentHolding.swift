import MediaCore

/// The memory of a live channel that the last response holds until the client has received it.
struct SegmentHolding {
    private var holding: LiveHolding?
    /// The claim for the memory after the channel has released it.
    private var claim: DeliveryClaim?

    init(_ holding: LiveHolding? = nil) { self.holding = holding }

    var isEmpty: Bool { holding == nil }

    /// Charges memory that a slow client holds longer than its channel to the delivery budget.
    ///
    /// - Parameter peer: the client's address, whose share of the budget is used; asked only if it is needed.
    /// - Returns: false if the budget does not allow it.
    mutating func charge(to delivery: MediaDelivery, peer: @autoclosure () -> AddressGroup) -> Bool {
        guard let holding, claim == nil, !holding.isInWindow else { return true }
        claim = delivery.departedSegments.claim(holding, of: peer(), in: delivery.budget)
        return claim != nil
    }
}
