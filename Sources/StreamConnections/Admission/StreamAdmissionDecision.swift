/// The answer of the accounts to somebody who wants to push.
package enum StreamAdmissionDecision: Sendable, Hashable {
    /// The account with this username may push, or play for a time: `nil` for as long as it wants. What it plays with
    /// a rental ends earlier if the rental does.
    case admitted(username: String, for: Duration? = nil, rental: StreamRental? = nil)
    /// The credential cannot be one of an account: it may be one of the channel's own publishers.
    case notAnAccounts
    /// No account has the credential, or its account may not push.
    case refused
    /// The media is for everyone.
    case open
    /// The account has not rented what it wants to play, or its rental is not activated.
    case rentalNeeded
    /// The time for which the account has rented it is over.
    case rentalOver
    /// The rental has as many other players as it may.
    ///
    /// - Parameter limit: their number.
    case tooManyPlayers(limit: Int)
    /// The accounts cannot be asked at the moment.
    case unavailable
}
