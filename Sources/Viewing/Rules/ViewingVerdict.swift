package import Accounts
package import MediaCore

/// Whether somebody may watch something.
package enum ViewingVerdict: Sendable, Hashable {
    /// It is for everyone.
    case open
    /// The path has a valid signature, which is enough for anyone.
    ///
    /// - Parameter seconds: the time until it expires.
    case signed(seconds: Int64)
    /// A viewer who shows it with each request may watch.
    ///
    /// - Parameter end: when it ends; `nil` for no end.
    case allowed(until: WallClockTime?)
    /// A viewer who shows it with the first request only may watch, so later requests have to be signed.
    case allowedOnce(until: WallClockTime)
    /// They may with a rental, as long as it lasts.
    case rented(RentalPermit)
    /// Strangers may not; somebody who logs in may be allowed to.
    case loginNeeded
    case forbidden
    /// They may not, nor know whether there is such a thing.
    case concealed
    /// The account may, but its rental does not.
    case denied(RentalDenial)
    /// The signature or token is wrong, has expired or was revoked.
    ///
    /// - Parameter reason: a clause that says which.
    case linkNotValid(reason: String)
    /// The database or the operator's program does not answer.
    case unavailable

    package init(_ decision: Decision) {
        switch decision {
        case .allowed: self = .allowed(until: nil)
        case .loginNeeded: self = .loginNeeded
        case .forbidden: self = .forbidden
        case .concealed: self = .concealed
        }
    }
}
