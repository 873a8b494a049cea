import APIContract
package import Accounts
package import HTTPTypes
import JSONDocument
import MediaCore

extension ProblemDetails {
    /// The response to a request about accounts that cannot be carried out.
    package init(_ error: AccountsError) {
        self.init(error.code.status, error.reason, type: error.code.problemType)
        issues = error.fields.map { .init(position: nil, field: $0, message: error.reason) }
        if let delay = error.retryAfter { headers[.retryAfter] = String(max(1, Int64(delay.seconds.rounded(.up)))) }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    }
}

extension AccountsError.Code {
    /// The status of HTTP responses with this code.
    package var status: HTTPResponse.Status {
        switch self {
        case .loginNeeded, .wrongCredentials, .wrongCode, .passkeyNotValid: .unauthorized
        case .forbidden, .passwordNeeded, .accountPending, .accountSuspended, .registrationClosed, .invitationNeeded:
            .forbidden
        case .notFound, .notAvailable: .notFound
        case .usernameTaken, .emailTaken, .conflict, .lastAdministrator, .tooMany, .noPassword: .conflict
        case .linkNotValid: .gone
        case .changedMeanwhile: .preconditionFailed
        case .invalidUsername, .invalidEmail, .invalidPassword, .invalidField, .missingFields, .invalidCursor:
            .unprocessableContent
        case .tooManyAttempts: .tooManyRequests
        case .busy: .serviceUnavailable
        }
    }
}

extension AccountsError.Code {
    /// The type of problem details with this code; `nil` for what the status says.
    fileprivate var problemType: ProblemType? {
        switch self {
        case .wrongCredentials: .wrongCredentials
        case .wrongCode: .wrongCode
        case .passkeyNotValid: .passkeyNotValid
        case .passwordNeeded: .passwordNeeded
        case .noPassword: .noPassword
        case .accountPending: .accountPending
        case .accountSuspended: .accountSuspended
        case .registrationClosed: .registrationClosed
        case .invitationNeeded: .invitationNeeded
        case .notAvailable: .notAvailable
        case .usernameTaken: .usernameTaken
        case .emailTaken: .emailTaken
        case .lastAdministrator: .lastAdministrator
        case .tooMany: .tooMany
        case .linkNotValid: .linkNotValid
        case .invalidUsername: .usernameNotValid
        case .invalidEmail: .emailNotValid
        case .invalidPassword: .passwordNotValid
        case .missingFields: .fieldsMissing
        case .invalidCursor: .cursorNotValid
        case .loginNeeded, .forbidden, .notFound, .conflict, .changedMeanwhile, .invalidField, .tooManyAttempts, .busy:
            nil
        }
    }
}
