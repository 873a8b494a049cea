/// Why a rental has ended. The texts are stored and never change.
package enum RentalEnd: String, Sendable, Hashable, CaseIterable {
    case expired
    /// An operator has given the credits back.
    case refunded
    /// The title was deleted before the rental's time was over, and the credits were given back.
    case titleRemoved = "title-removed"
}
