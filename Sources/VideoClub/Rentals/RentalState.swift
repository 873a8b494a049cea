/// The state of a rental at a time.
package enum RentalState: String, Sendable, Hashable, CaseIterable {
    /// Paid, and its time has not begun.
    case rented
    /// The title can be watched.
    case activated
    /// Its time is over.
    case expired
    /// The credits were given back, and the title cannot be watched any more.
    case refunded
}
