/// The kind of a problem that the API reports (RFC 9457 §3.1.1). Programs may rely on it; the texts beside it are for
/// people, and change.
package struct ProblemType: Sendable, Hashable {
    /// The stable name, such as `username-taken`.
    package let code: String
    /// A short summary, the same for every occurrence.
    package let title: String

    private init(_ code: String, _ title: String) { (self.code, self.title) = (code, title) }

    /// The page that describes all types.
    package static let page = "/api/v1/docs"

    /// The URI reference for the member `type`.
    package var reference: String { "\(Self.page)#\(code)" }

    // MARK: One for each status

    package static let badRequest = ProblemType("malformed", "The request is malformed")
    package static let credentialNeeded = ProblemType("credential-needed", "Log in, or send a valid credential")
    package static let notAllowed = ProblemType("not-allowed", "The sender may not do this")
    package static let notFound = ProblemType("not-found", "There is no such resource")
    package static let methodNotAllowed = ProblemType("method-not-allowed", "The resource does not have this method")
    package static let conflict = ProblemType("conflict", "The state of the resource does not allow this")
    package static let gone = ProblemType("gone", "The resource no longer exists")
    package static let changedMeanwhile = ProblemType("changed-meanwhile", "The resource was changed meanwhile")
    package static let tooLarge = ProblemType("too-large", "The request is too large")
    package static let unsupportedType = ProblemType("unsupported-type", "The body has a type that is not supported")
    package static let notValid = ProblemType("not-valid", "The request is well-formed but not valid")
    package static let preconditionNeeded = ProblemType("precondition-needed", "The change needs If-Match")
    package static let tooManyRequests = ProblemType("too-many-requests", "Too many requests of this kind")
    package static let serverFault = ProblemType("server-fault", "The server failed; its log says why")
    package static let unavailable = ProblemType("unavailable", "The server cannot do this at the moment")
    package static let diskFull = ProblemType("disk-full", "A disk of the server is full")

    // MARK: More precise ones

    package static let databaseAway = ProblemType("database-away", "The database does not answer")
    package static let cursorNotValid = ProblemType("cursor-not-valid", "The cursor does not belong to this list")
    package static let readOnly = ProblemType("read-only", "The media folder is read-only")
    package static let requestInProgress = ProblemType(
        "request-in-progress", "The first request with this Idempotency-Key is being carried out")
    package static let keyOfAnotherRequest = ProblemType(
        "key-of-another-request", "The Idempotency-Key was used for another request")
    package static let wrongCredentials = ProblemType("wrong-credentials", "The username or the password is wrong")
    package static let wrongCode = ProblemType("wrong-code", "The code of the second factor is wrong")
    package static let passkeyNotValid = ProblemType("passkey-not-valid", "The passkey is not valid here")
    package static let passwordNeeded = ProblemType("password-needed", "The password has to be given again")
    package static let noPassword = ProblemType("no-password", "The account would have no way to log in")
    package static let accountPending = ProblemType("account-pending", "The account has to be confirmed or approved")
    package static let accountSuspended = ProblemType("account-suspended", "The account is suspended")
    package static let registrationClosed = ProblemType("registration-closed", "Nobody can sign up")
    package static let invitationNeeded = ProblemType("invitation-needed", "Signing up needs a valid invitation")
    package static let usernameTaken = ProblemType("username-taken", "The username is taken")
    package static let emailTaken = ProblemType("email-taken", "The e-mail address is taken")
    package static let usernameNotValid = ProblemType("username-not-valid", "The username is not valid")
    package static let emailNotValid = ProblemType("email-not-valid", "The e-mail address is not valid")
    package static let passwordNotValid = ProblemType("password-not-valid", "The password is not good enough")
    package static let fieldsMissing = ProblemType("fields-missing", "Required fields are missing")
    package static let linkNotValid = ProblemType("link-not-valid", "The link or code was used, or has expired")
    package static let lastAdministrator = ProblemType(
        "last-administrator", "The server would be left without an administrator")
    package static let tooMany = ProblemType("too-many", "The limit is reached")
    package static let notAvailable = ProblemType("not-available", "The server is not set up for this")

    package static let rentalNeeded = ProblemType("rental-needed", "The title has to be rented")
    package static let rentalNotActivated = ProblemType("rental-not-activated", "The time of the rental has not begun")
    package static let rentalOver = ProblemType("rental-over", "The time of the rental is over")
    package static let tooManyPlayers = ProblemType(
        "too-many-players", "The rental is being watched on as many devices as it allows")
    package static let copyReplaced = ProblemType(
        "copy-replaced", "The offline copy is of an older version of the title")
    package static let creditsNeeded = ProblemType("credits-needed", "The account has not enough credits")
    package static let alreadyRented = ProblemType("already-rented", "The title is already rented")
    package static let alreadyVoted = ProblemType("already-voted", "The account has already voted")

    package static let noTrailer = ProblemType("no-trailer", "The title has no trailer")
    package static let trailerDamaged = ProblemType("trailer-damaged", "The trailer of the title cannot be played")
    package static let encryptionNotSupported = ProblemType(
        "encryption-not-supported", "The title's encryption does not exist in this format")

    /// All types, in the order in which the page lists them.
    package static let all: [ProblemType] = [
        badRequest, credentialNeeded, wrongCredentials, wrongCode, passkeyNotValid, passwordNeeded, noPassword,
        rentalNeeded, creditsNeeded, notAllowed, rentalNotActivated, tooManyPlayers, accountPending, accountSuspended,
        registrationClosed, invitationNeeded, readOnly, notFound,
        noTrailer, trailerDamaged, encryptionNotSupported, notAvailable, methodNotAllowed, conflict, requestInProgress,
        usernameTaken,
        emailTaken, lastAdministrator,
        tooMany, alreadyRented, alreadyVoted, gone, linkNotValid, rentalOver, copyReplaced, changedMeanwhile, tooLarge,
        unsupportedType, notValid, keyOfAnotherRequest,
        cursorNotValid, usernameNotValid, emailNotValid, passwordNotValid, fieldsMissing, preconditionNeeded,
        tooManyRequests, serverFault, unavailable, databaseAway, diskFull,
    ]

    /// The type of a problem of which nothing but its status is known; `nil` if the status says all.
    package static func standard(forStatus status: Int) -> ProblemType? {
        switch status {
        case 400: badRequest
        case 401: credentialNeeded
        case 403: notAllowed
        case 404: notFound
        case 405: methodNotAllowed
        case 409: conflict
        case 410: gone
        case 412: changedMeanwhile
        case 413, 414, 431: tooLarge
        case 415: unsupportedType
        case 422: notValid
        case 428: preconditionNeeded
        case 429: tooManyRequests
        case 500: serverFault
        case 503: unavailable
        case 507: diskFull
        default: nil
        }
    }
}
