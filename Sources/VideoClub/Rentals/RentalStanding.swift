/// A member's standing with a title that needs a rental, by the last rental of it.
package enum RentalStanding: Sendable, Hashable {
    case neverRented
    /// There is a rental whose time has not begun.
    case waiting(Rental)
    case active(Rental)
    /// The last rental is over.
    case over(Rental)
}
