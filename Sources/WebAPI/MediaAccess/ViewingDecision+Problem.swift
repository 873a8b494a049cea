import HLSDelivery
import HTTPEndpoints
import HTTPTypes

extension ViewingDecision {
    /// The response to somebody who may not watch; `nil` if they may.
    var problem: ProblemDetails? {
        switch self {
        case .open, .allowed, .allowedByPath, .allowedWithSignature: return nil
        case .loginNeeded: return RequestAuthority.loginNeeded
        case .concealed: return ProblemDetails(.notFound, "there is no media at this address")
        case .forbidden: return ProblemDetails(.forbidden, "the account may not watch this")
        case .rentalMissing(let rental): return ProblemDetails(rental.status, rental.reason, type: rental.type)
        case .linkNotValid(let reason): return ProblemDetails(.forbidden, reason)
        case .unavailable:
            var problem = ProblemDetails(.serviceUnavailable, "the database does not answer; try again")
            problem.headers[.retryAfter] = "2"
            return problem
        }
    }
}
