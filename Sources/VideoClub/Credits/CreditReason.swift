/// Why credits move. The texts are stored and never change.
package enum CreditReason: String, Sendable, Hashable, CaseIterable {
    /// An operator has given credits out.
    case topUp = "top-up"
    /// A payment for credits.
    case payment
    /// An operator has made a present of credits.
    case gift
    case rental
    /// The counter-entry of a rental.
    case refund
    /// The counter-entry of credits that were given out by mistake.
    case reversal
    /// The end of a gift that was not spent in its time.
    case expired

    /// Whether credits are given to a member for it.
    var isGiven: Bool {
        switch self {
        case .topUp, .payment, .gift: true
        case .rental, .refund, .reversal, .expired: false
        }
    }

    /// The club's account on the other side of the member's.
    var counterpart: CreditAccount? {
        switch self {
        case .topUp: .topUps
        case .payment: .payments
        case .gift, .expired: .gifts
        case .rental, .refund: .rentals
        // That of the movement that it takes back.
        case .reversal: nil
        }
    }
}
