import HTTPTypes

/// The answer to somebody who wants to watch.
package enum ViewingDecision: Sendable, Hashable {
    case allowed
    /// Nobody has logged in, or the credential is wrong.
    case loginNeeded
    /// The account may not watch this.
    case forbidden
    /// The database does not answer.
    case unavailable
}

extension ViewingDecision {
    /// The response to somebody who may not watch; `nil` if they may.
    ///
    /// - Parameter isBrowser: whether a page asks. A challenge for a password would open the browser's own window.
    func refusal(isBrowser: Bool) -> MediaResponse? {
        switch self {
        case .allowed: return nil
        case .loginNeeded:
            var response = MediaResponse.problem(
                .unauthorized, "this is for members: log in, or give the player a username and an app password")
            response.head.headerFields[.wwwAuthenticate] = isBrowser ? "Bearer" : "Basic realm=\"Antena\""
            return response
        case .forbidden: return .problem(.forbidden, "your account may not watch this")
        case .unavailable:
            return .problem(.serviceUnavailable, "the database does not answer; try again", retryAfter: 2)
        }
    }
}
