package import APIContract

/// The fields of a log-in with a password.
package struct LogInRequestFields: ObjectFields {
    package static let name = "LogInRequest"
    package static let isClosed = true
    package static let fields = LogInRequestFields()

    package let username = Field<String>(
        "username", "username or e-mail address of the account", .minimumLength(1), .maximumLength(320),
        .example("ana"))
    package let password = Field<String>("password", "password of the account", .minimumLength(1), .maximumLength(1000))
    package let staysLoggedIn = Field<Bool?>(
        "staysLoggedIn", "whether the session lasts longer than the browser runs; false if null or missing", .optional)
    package let returnsToken = Field<Bool?>(
        "returnsToken",
        "whether the answer holds the session's secret, for programs without cookies; false if null or missing",
        .optional)

    package init() {}
}
