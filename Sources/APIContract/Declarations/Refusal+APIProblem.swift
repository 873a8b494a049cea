package import MediaCore

extension Refusal.Code {
    /// The problem that a domain's refusal is in the API.
    package var problem: APIProblem {
        switch self {
        case .loginNeeded: APIProblem(401, .credentialNeeded)
        case .wrongCredentials: APIProblem(401, .wrongCredentials)
        case .wrongCode: APIProblem(401, .wrongCode)
        case .passkeyNotValid: APIProblem(401, .passkeyNotValid)
        case .notEnoughCredits: APIProblem(402, .creditsNeeded)
        case .rentalNeeded: APIProblem(402, .rentalNeeded)
        case .forbidden, .notARenter, .deviceRemoved: APIProblem(403, .notAllowed)
        case .passwordNeeded: APIProblem(403, .passwordNeeded)
        case .accountPending: APIProblem(403, .accountPending)
        case .accountSuspended: APIProblem(403, .accountSuspended)
        case .registrationClosed: APIProblem(403, .registrationClosed)
        case .invitationNeeded: APIProblem(403, .invitationNeeded)
        case .rentalNotActivated: APIProblem(403, .rentalNotActivated)
        case .notFound: APIProblem(404, .notFound)
        case .notAvailable: APIProblem(404, .notAvailable)
        case .conflict, .rentalNotNeeded, .notReversible: APIProblem(409, .conflict)
        case .usernameTaken: APIProblem(409, .usernameTaken)
        case .emailTaken: APIProblem(409, .emailTaken)
        case .lastAdministrator: APIProblem(409, .lastAdministrator)
        case .tooMany: APIProblem(409, .tooMany)
        case .noPassword: APIProblem(409, .noPassword)
        case .alreadyRented: APIProblem(409, .alreadyRented)
        case .alreadyVoted: APIProblem(409, .alreadyVoted)
        case .linkNotValid: APIProblem(410, .linkNotValid)
        case .rentalEnded: APIProblem(410, .rentalOver)
        case .copyReplaced: APIProblem(410, .copyReplaced)
        case .changedMeanwhile: APIProblem(412, .changedMeanwhile)
        case .invalidField, .emptyField: APIProblem(422, .notValid)
        case .invalidUsername: APIProblem(422, .usernameNotValid)
        case .invalidEmail: APIProblem(422, .emailNotValid)
        case .invalidPassword: APIProblem(422, .passwordNotValid)
        case .missingFields: APIProblem(422, .fieldsMissing)
        case .invalidCursor: APIProblem(422, .cursorNotValid)
        case .keyOfAnotherRequest: APIProblem(422, .keyOfAnotherRequest)
        case .tooManyAttempts: APIProblem(429, .tooManyRequests)
        case .busy, .unavailable: APIProblem(503, .unavailable)
        }
    }
}
