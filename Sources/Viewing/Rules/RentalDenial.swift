/// Why a member may not watch a title that has to be rented.
package enum RentalDenial: Error, Hashable {
    /// The member has never rented it.
    case needed
    /// The time to watch it has not begun.
    case notActivated
    /// The time to watch it is over.
    case over
    /// The rental has as many other players as it may.
    ///
    /// - Parameter limit: their number.
    case tooManyPlayers(limit: Int)
}
