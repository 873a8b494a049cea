import HTTPTypes

/// The answer to somebody who wants to watch.
package enum ViewingDecision: Sendable, Hashable {
    /// It is for everyone, which could not be told without waiting.
    case open
    /// A viewer who shows it with each request may watch.
    case allowed
    /// The path has a valid signature, so that everybody who has the path may watch.
    ///
    /// - Parameter seconds: the time until it expires.
    case allowedByPath(seconds: Int64)
    /// A viewer who shows it with the first request only may watch; later requests have this signature in their path.
    case allowedWithSignature(String)
    /// Nobody has logged in, or the credential is wrong.
    case loginNeeded
    /// The account may not watch this.
    case forbidden
    /// The sender may not watch this, nor know whether it exists.
    case concealed
    /// The title has to be rented.
    case rentalMissing(RentalRefusal)
    /// The signature is wrong, has expired or was revoked.
    ///
    /// - Parameter reason: a clause that says which.
    case linkNotValid(reason: String)
    /// The database does not answer.
    case unavailable
}

extension ViewingDecision {
    /// Whether somebody may not watch.
    var isRefusal: Bool {
        switch self {
        case .open, .allowed, .allowedByPath, .allowedWithSignature: false
        case .loginNeeded, .forbidden, .concealed, .rentalMissing, .linkNotValid, .unavailable: true
        }
    }

    /// The response to somebody who may not watch; `nil` if they may.
    ///
    /// - Parameters:
    ///   - isBrowser: whether a page asks. A challenge for a password would open the browser's own window.
    ///   - unknown: the response for an address at which there is nothing.
    func refusal(isBrowser: Bool, unknown: @autoclosure () -> MediaResponse) -> MediaResponse? {
        switch self {
        case .open, .allowed, .allowedByPath, .allowedWithSignature: return nil
        case .loginNeeded:
            var response = MediaResponse.problem(
                .unauthorized, "this is for members: log in, or give the player a username and an app password")
            response.head.headerFields[.wwwAuthenticate] = isBrowser ? "Bearer" : "Basic realm=\"Antena\""
            return response
        case .concealed: return unknown()
        case .forbidden: return .problem(.forbidden, "your account may not watch this")
        case .rentalMissing(let rental): return .problem(rental.status, rental.reason, type: rental.type)
        case .linkNotValid(let reason): return .problem(.forbidden, reason)
        case .unavailable:
            return .problem(.serviceUnavailable, "the database does not answer; try again", retryAfter: 2)
        }
    }
}
