package import APIContract

/// The fields of the second step of a log-in.
package struct SecondFactorEntryFields: ObjectFields {
    package static let name = "SecondFactorEntry"
    package static let isClosed = true
    package static let fields = SecondFactorEntryFields()

    package let challenge = Field<String>(
        setting: SecondFactorChallengeFields.fields.challenge, .minimumLength(1), .maximumLength(1000))
    package let code = Field<String>(
        "code", "code of the authenticator app, or a recovery code", .minimumLength(1), .maximumLength(1000),
        .example("123456"))
    package let returnsToken = Field<Bool?>(setting: LogInRequestFields.fields.returnsToken, .optional)

    package init() {}
}
