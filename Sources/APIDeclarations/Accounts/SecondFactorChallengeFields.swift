package import APIContract

/// The fields of the answer to a log-in that needs a second factor as well.
package struct SecondFactorChallengeFields: ObjectFields {
    package static let name = "SecondFactorChallenge"
    package static let fields = SecondFactorChallengeFields()

    package let secondFactorNeeded = Field<Bool>("secondFactorNeeded", "always true")
    package let challenge = Field<String>(
        "challenge", "secret of this log-in, to be sent with the code of the second factor")

    package init() {}
}
