package import APIContract

/// The fields of a session that has just begun.
package struct SessionBegunFields: ObjectFields {
    package static let name = "SessionBegun"
    package static let fields = SessionBegunFields()

    package let username = Field<String>("username", "username of the account", .example("ana"))
    package let role = Field<String>(
        "role", "role of the account",
        .oneOf("viewer", "member", "broadcaster", "moderator", "operator", "administrator"))
    package let csrf = Field<String>("csrf", "value of X-CSRF-Token for changes by cookie")
    package let token = Field<String>(
        "token", "secret of the session, for the header Authorization: Bearer; only if returnsToken was true",
        .optional)

    package init() {}
}
