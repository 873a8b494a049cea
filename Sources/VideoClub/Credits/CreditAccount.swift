package import Accounts

/// An account of the ledger: one for each member, and the club's own.
package enum CreditAccount: Sendable, Hashable {
    case member(UserID)
    /// The source of credits that an operator gives out.
    case topUps
    /// The source of credits that somebody has paid for.
    case payments
    /// The source of credits that are a present.
    case gifts
    /// The income from rentals.
    case rentals

    /// The text that is stored; it never changes.
    package var text: String {
        switch self {
        case .member(let id): "member/\(id.text)"
        case .topUps: "club/top-ups"
        case .payments: "club/payments"
        case .gifts: "club/gifts"
        case .rentals: "club/rentals"
        }
    }

    /// The account of a member, by the text that is stored; `nil` for any other.
    init?(ofMember text: String) {
        guard text.hasPrefix("member/"), let id = UserID(parsing: text.dropFirst("member/".count)) else { return nil }
        self = .member(id)
    }

    /// Whether the account has a running balance, which is never negative. The club's own accounts have none: each
    /// movement of any member would have to wait for the one before.
    var hasBalance: Bool { if case .member = self { true } else { false } }
}
