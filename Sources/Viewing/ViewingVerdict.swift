package import Accounts
package import VideoClub

/// Whether somebody may watch something.
package enum ViewingVerdict: Sendable, Hashable {
    case allowed
    /// Strangers may not; somebody who logs in may be allowed to.
    case loginNeeded
    case forbidden
    /// They may not, nor know whether there is such a thing.
    case concealed
    /// They may with this rental, as long as it lasts.
    case rented(Rental)
    /// The account may, but its rental does not.
    case denied(RentalDenial)

    package init(_ decision: Decision) {
        switch decision {
        case .allowed: self = .allowed
        case .loginNeeded: self = .loginNeeded
        case .forbidden: self = .forbidden
        case .concealed: self = .concealed
        }
    }
}
