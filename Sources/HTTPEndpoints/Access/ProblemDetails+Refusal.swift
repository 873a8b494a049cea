import APIContract
package import HTTPTypes
import JSONDocument
package import MediaCore

extension ProblemDetails {
    /// RFC 9110 §15.5.3.
    package static let paymentRequired = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")

    /// Seconds after which a client asks again if a refusal does not say so.
    private static let usualDelay = 2

    /// The response to a request that a domain refuses.
    package init(_ refusal: Refusal) {
        self.init(refusal.code.status, refusal.reason, type: refusal.code.problemType)
        issues = refusal.fields.map { .init(position: nil, field: $0, message: refusal.reason) }
        if let delay = refusal.retryAfter {
            headers[.retryAfter] = String(max(1, Int64(delay.seconds.rounded(.up))))
        } else if status == .serviceUnavailable {
            headers[.retryAfter] = String(Self.usualDelay)
        }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        members = refusal.facts.sorted { $0.key < $1.key }.map { name, fact in
            switch fact {
            case .number(let number): .init(name: name, value: .integer(Int(number)))
            case .text(let text): .init(name: name, value: .string(text))
            }
        }
    }
}

extension Refusal: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}

extension Refusal.Code {
    /// The status of HTTP responses with this code.
    package var status: HTTPResponse.Status {
        switch self {
        case .loginNeeded, .wrongCredentials, .wrongCode, .passkeyNotValid: .unauthorized
        case .notEnoughCredits, .rentalNeeded: ProblemDetails.paymentRequired
        case .forbidden, .passwordNeeded, .accountPending, .accountSuspended, .registrationClosed, .invitationNeeded,
            .notARenter, .rentalNotActivated, .deviceRemoved:
            .forbidden
        case .notFound, .notAvailable: .notFound
        case .usernameTaken, .emailTaken, .conflict, .lastAdministrator, .tooMany, .noPassword, .alreadyRented,
            .alreadyVoted, .rentalNotNeeded, .notReversible:
            .conflict
        case .linkNotValid, .rentalEnded, .copyReplaced: .gone
        case .changedMeanwhile: .preconditionFailed
        case .invalidUsername, .invalidEmail, .invalidPassword, .invalidField, .emptyField, .missingFields,
            .invalidCursor, .keyOfAnotherRequest:
            .unprocessableContent
        case .tooManyAttempts: .tooManyRequests
        case .busy, .unavailable: .serviceUnavailable
        }
    }

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
        case .keyOfAnotherRequest: .keyOfAnotherRequest
        case .notEnoughCredits: .creditsNeeded
        case .alreadyRented: .alreadyRented
        case .alreadyVoted: .alreadyVoted
        case .rentalEnded: .rentalOver
        case .rentalNeeded: .rentalNeeded
        case .rentalNotActivated: .rentalNotActivated
        case .copyReplaced: .copyReplaced
        case .loginNeeded, .forbidden, .notFound, .conflict, .changedMeanwhile, .invalidField, .emptyField,
            .tooManyAttempts, .busy, .unavailable, .rentalNotNeeded, .notReversible, .notARenter, .deviceRemoved:
            nil
        }
    }
}
