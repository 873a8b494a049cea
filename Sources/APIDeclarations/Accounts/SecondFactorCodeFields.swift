package import APIContract

/// The fields of a request that turns the second factor on.
package struct SecondFactorCodeFields: ObjectFields {
    package static let name = "SecondFactorCode"
    package static let isClosed = true
    package static let fields = SecondFactorCodeFields()

    package let code = Field<String>(
        "code", "code that the authenticator app shows", .minimumLength(1), .maximumLength(1000), .example("123456"))

    package init() {}
}
