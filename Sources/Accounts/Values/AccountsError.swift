import Foundation
package import MediaCore

/// A request about accounts that cannot be carried out, with a reason that says what to do.
package struct AccountsError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case invalidUsername
        case invalidEmail
        /// The new password is too short, too long, or one that is tried first.
        case invalidPassword
        case invalidField
        /// Required fields are missing; ``AccountsError/fields`` names them.
        case missingFields
        case usernameTaken
        case emailTaken
        case registrationClosed
        /// The sign-up needs an invitation, or the one that it has is not valid.
        case invitationNeeded
        /// There is no such account, or the password is wrong; the two are not distinguished.
        case wrongCredentials
        /// The code of the second factor is wrong or was used before.
        case wrongCode
        /// The account waits for approval or for the confirmation of its e-mail address.
        case accountPending
        case accountSuspended
        /// The passkey does not belong to this server or account, or its answer is wrong.
        case passkeyNotValid
        /// The link or code is unknown, was used, or has expired.
        case linkNotValid
        case notFound
        /// Nobody has logged in.
        case loginNeeded
        /// The principal may not do this.
        case forbidden
        /// The password has to be given again.
        case passwordNeeded
        /// The account has no password, because its owner logs in in another way.
        case noPassword
        /// The limit of attempts is reached; ``AccountsError/retryAfter`` says for how long.
        case tooManyAttempts
        /// The server has too many log-ins to check at the moment.
        case busy
        /// The account would be left without an administrator.
        case lastAdministrator
        /// There are already as many as an account may have.
        case tooMany
        /// The state of something does not allow it.
        case conflict
        /// It was changed since the caller read it.
        case changedMeanwhile
        case invalidCursor
        /// The server is not set up for this.
        case notAvailable
    }

    package var code: Code
    /// A sentence without a full stop.
    package var reason: String
    /// The names of the fields that are missing or wrong.
    package var fields: [String]
    /// The time after which the same request may work.
    package var retryAfter: Duration?
    /// The end of the suspension of an account; `nil` for one without end, and for every other error.
    package var suspendedUntil: WallClockTime?

    package init(_ code: Code, _ reason: String, fields: [String] = [], retryAfter: Duration? = nil) {
        (self.code, self.reason, self.fields, self.retryAfter) = (code, reason, fields, retryAfter)
    }

    package var description: String { reason }

    /// Length limit of a value that is repeated in a reason.
    private static let maximumQuotedCharacterCount = 80

    /// A value from a client in quotation marks, without what could harm a log or a terminal.
    package static func quoted(_ text: String) -> String {
        "\"\(UntrustedText.escaped(text, maximumCharacterCount: maximumQuotedCharacterCount))\""
    }

    /// - Parameter end: the end of the suspension; `nil` for one without end.
    static func suspended(until end: WallClockTime?) -> AccountsError {
        let time = end.map { " until \(Date($0).formatted(.iso8601))" } ?? ""
        var error = AccountsError(
            .accountSuspended, "your account is suspended\(time); ask an administrator for the reason")
        error.suspendedUntil = end
        return error
    }

    static func tooManyAttempts(_ what: String, retryAfter: Duration) -> AccountsError {
        let seconds = max(1, Int64(retryAfter.seconds.rounded(.up)))
        return AccountsError(
            .tooManyAttempts, "\(what); try again in \(seconds) \(seconds == 1 ? "second" : "seconds")",
            retryAfter: .seconds(seconds))
    }
}
