import MediaCore
import VideoClub

/// The one thing that a visitor can do next with a title.
enum TitleStep {
    /// Nothing has to be rented.
    case watchFreely
    case watch(Rental)
    /// A rental whose time has not begun.
    case begin(Rental)
    case rent(balance: Int64)
    case getCredits(missing: Int64, balance: Int64)
    case logIn

    /// - Parameters:
    ///   - offer: the title for the visitor.
    ///   - balance: the visitor's credits; `nil` for a stranger.
    ///   - now: the time.
    init(_ offer: TitleOffer, balance: Int64?, at now: WallClockTime) {
        guard offer.terms.needsRental else {
            self = .watchFreely
            return
        }
        switch offer.rental.map({ ($0, $0.state(at: now)) }) {
        case (let rental, .activated)?: self = .watch(rental)
        case (let rental, .rented)?: self = .begin(rental)
        case (_, .expired)?, (_, .refunded)?, nil:
            guard let balance else {
                self = .logIn
                return
            }
            let price = offer.terms.price
            self =
                balance < price ? .getCredits(missing: price - balance, balance: balance) : .rent(balance: balance)
        }
    }

    /// Whether the title plays for the visitor as it is.
    var mayWatch: Bool {
        switch self {
        case .watchFreely, .watch: true
        case .begin, .rent, .getCredits, .logIn: false
        }
    }
}
