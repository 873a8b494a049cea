/// A request that cannot be carried out, with a reason that says what to do. All domains refuse with it, and each code
/// has one status, one problem type and one sentence on pages.
package struct Refusal: Error, Hashable, CustomStringConvertible {
    /// The kinds of refusal.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        // MARK: Everywhere

        case notFound
        /// Nobody has logged in, or the caller has no account.
        case loginNeeded
        /// The caller may not do this, or not with this item.
        case forbidden
        case invalidField
        /// A field is empty that must not be.
        case emptyField
        /// Required fields are missing; ``Refusal/fields`` names them.
        case missingFields
        case invalidCursor
        /// It was changed since the caller has read it.
        case changedMeanwhile
        /// The state of something does not allow it.
        case conflict
        /// The limit of a kind of thing is reached.
        case tooMany
        /// The limit of attempts is reached; ``Refusal/retryAfter`` says for how long.
        case tooManyAttempts
        /// The server has too much of this to do at the moment.
        case busy
        /// It cannot be done at the moment.
        case unavailable
        /// The server is not set up for this.
        case notAvailable
        /// The `Idempotency-Key` was used for another request.
        case keyOfAnotherRequest

        // MARK: Accounts

        case invalidUsername
        case invalidEmail
        /// The new password is too short, too long, or a common one.
        case invalidPassword
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
        /// The password has to be given again.
        case passwordNeeded
        /// The account has no password, because its owner logs in in another way.
        case noPassword
        /// The account would be left without an administrator.
        case lastAdministrator

        // MARK: The video club

        /// The account has fewer credits than something costs; ``Refusal/facts`` has `price`, `balance` and `missing`.
        case notEnoughCredits
        /// The member holds a rental of the title already; ``Refusal/facts`` has its ID as `rental`.
        case alreadyRented
        /// The title can be watched without a rental.
        case rentalNotNeeded
        /// The rental has ended, so that it can neither be activated nor refunded.
        case rentalEnded
        /// The member has voted already.
        case alreadyVoted
        /// Only members who have rented the title may vote.
        case notARenter
        /// The movement was reversed already, or is itself a counter-entry.
        case notReversible
        /// The member has no such rental.
        case rentalNeeded
        /// The time of the rental has not begun, so that the key of a copy stays where it is.
        case rentalNotActivated
        /// A copy is of a version of the title that there is no longer.
        case copyReplaced
        /// The device that an address was given to was removed.
        case deviceRemoved
    }

    /// A value that programs read beside the reason.
    package enum Fact: Hashable, Sendable {
        case number(Int64)
        case text(String)
    }

    package var code: Code
    /// A sentence without a full stop.
    package var reason: String
    /// The names of the fields that are missing or wrong.
    package var fields: [String]
    /// The numbers that the field may have; `nil` if it is not a number.
    package var range: ClosedRange<Int>?
    /// The time after which the same request may work.
    package var retryAfter: Duration?
    /// The end of the suspension of an account; `nil` for one without end, and for every other refusal.
    package var suspendedUntil: WallClockTime?
    /// Further members of the problem details, by name.
    package var facts: [String: Fact] = [:]

    package init(
        _ code: Code, _ reason: String, fields: [String] = [], range: ClosedRange<Int>? = nil,
        retryAfter: Duration? = nil
    ) {
        (self.code, self.reason, self.fields) = (code, reason, fields)
        (self.range, self.retryAfter) = (range, retryAfter)
    }

    package init(_ code: Code, _ reason: String, field: String?, range: ClosedRange<Int>? = nil) {
        self.init(code, reason, fields: field.map { [$0] } ?? [], range: range)
    }

    package var description: String { reason }

    /// The first field that is missing or wrong; `nil` if none is.
    package var field: String? { fields.first }

    /// The cursor was not issued by this list.
    package static var invalidCursor: Refusal {
        Refusal(.invalidCursor, "the cursor is not the `next` value of a page of this list")
    }

    /// Required fields are missing.
    package static func missing(_ fields: [String]) -> Refusal {
        Refusal(.missingFields, "these fields are required: \(fields.joined(separator: ", "))", fields: fields)
    }

    /// A change is meant for another version of something.
    package static func changedMeanwhile(_ name: String) -> Refusal {
        Refusal(.changedMeanwhile, "\(name) was changed meanwhile; read it again")
    }

    /// Length limit of a value that is repeated in a reason.
    private static let maximumQuotedCharacterCount = 80

    /// A value from a client in quotation marks, without what could harm a log or a terminal.
    package static func quoted(_ text: String) -> String {
        "\"\(UntrustedText.escaped(text, maximumCharacterCount: maximumQuotedCharacterCount))\""
    }
}
