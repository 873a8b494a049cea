/// The outcome of a request to rent a title.
package struct RentalOutcome: Sendable, Hashable {
    package var rental: Rental
    /// Whether this request has made it; otherwise an earlier one with the same key has.
    package var isNew: Bool
    /// The member's credits afterwards.
    package var balance: Int64
}
