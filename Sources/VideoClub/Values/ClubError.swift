/// A request to the video club that cannot be carried out, with a reason that says what to do.
package struct ClubError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        case notFound
        /// Nobody has logged in, or the caller has no account.
        case loginNeeded
        /// The account has fewer credits than something costs.
        case notEnoughCredits(price: Int64, balance: Int64)
        /// The member holds a rental of the title already.
        case alreadyRented(Rental)
        /// The title can be watched without a rental.
        case rentalNotNeeded
        /// The rental has ended, so that it can neither be activated nor refunded.
        case rentalEnded
        /// The key was used for another request.
        case keyOfAnotherRequest
        case invalidField
        /// It was changed meanwhile.
        case changedMeanwhile
        /// The member has voted already.
        case alreadyVoted
        /// Only those who have rented the title may vote.
        case notARenter
        /// The movement was reversed already, or is itself a counter-entry.
        case notReversible
        case invalidCursor
        /// The member has no such rental.
        case rentalNeeded
        /// The time of the rental has not begun, so that the key of a copy stays where it is.
        case rentalNotActivated
        /// A copy is of a version of the title that there is no longer.
        case copyReplaced
        /// The device that an address was given to was removed.
        case deviceRemoved
        /// There are as many as there may be.
        case tooMany
        /// It cannot be done at the moment.
        case unavailable
        /// Too much of this is being done at the moment.
        case busy
    }

    package var code: Code
    /// A sentence without a full stop.
    package var reason: String
    /// The field that is meant; `nil` if none is.
    package var field: String?
    /// The address at which the member who lacks credits buys some; `nil` if the operator has named none.
    package var purchaseAddress: String?

    package init(_ code: Code, _ reason: String, field: String? = nil) {
        (self.code, self.reason, self.field) = (code, reason, field)
    }

    package var description: String { reason }
}
