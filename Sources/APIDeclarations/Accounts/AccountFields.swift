package import APIContract

/// The fields of an account, for its owner and for administrators.
package struct AccountFields: ObjectFields {
    package static let name = "Account"
    package static let fields = AccountFields()
    package static let columns = [
        TableColumn("USERNAME", fields.username), TableColumn("ROLE", fields.role), TableColumn("STATE", fields.state),
        TableColumn("E-MAIL", fields.email), TableColumn("LAST LOG-IN", fields.lastLogInAt),
    ]

    package let username = Field<String>(
        "username", "unique name of the account, with which its owner logs in", .example("ana"))
    package let email = Field<String?>(
        "email", "e-mail address of the owner; null if there is none", .example("ana@example.org"))
    package let emailConfirmedAt = Field<APITime?>(
        "emailConfirmedAt", "time at which the owner confirmed the e-mail address; null if that has not happened")
    package let name = Field<String?>("name", "full name of the owner; null if there is none", .example("Ana García"))
    package let mobile = Field<String?>(
        "mobile", "mobile number of the owner; null if there is none", .example("+34 600 000 000"))
    package let city = Field<String?>("city", "city of the owner; null if there is none", .example("Cádiz"))
    package let country = Field<String?>("country", "country of the owner; null if there is none", .example("España"))
    package let language = Field<String?>(
        "language", "language of pages and mails; null for the one that a request asks for", .oneOf("en", "es"))
    package let photo = Field<String?>(
        "photo", "version of the photo, which changes with it; null without a photo", .example("3f9a"))
    package let role = Field<String>(
        "role", "role of the account, which decides about its permissions",
        .oneOf("viewer", "member", "broadcaster", "moderator", "operator", "administrator"))
    package let state = Field<AccountStateName>("state", "state of the account; only an active one can be used")
    package let suspendedUntil = Field<APITime?>(
        "suspendedUntil", "end of the suspension; null for one without end, and for an account that is not suspended")
    package let hasPassword = Field<Bool>(
        "hasPassword", "whether the account has a password; one that belongs to a log-in provider may have none")
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let lastLogInAt = Field<APITime?>("lastLogInAt", "time of the last log-in; null if there was none")
    package let channels = Field<[String: [String]]>(
        "channels",
        "permissions on single channels beyond the role, by the names of the channels; for administrators only",
        .optional)

    package init() {}
}
