package import APIContract

/// The fields of a new API token or app password.
package struct NewTokenFields: ObjectFields {
    package static let name = "NewToken"
    package static let isClosed = true
    package static let fields = NewTokenFields()

    package let name = Field<String>(
        setting: TokenFields.fields.name, .minimumLength(1), .maximumLength(240), .example("backup"))
    package let kind = Field<String?>(
        setting: TokenFields.fields.kind, "kind of the credential: apiToken (the default) or appPassword", .optional,
        .example("apiToken"))
    package let permissions = Field<[String]?>(
        setting: TokenFields.fields.permissions,
        "read, publish, record, upload, comment, moderate, score, rent, manage, administer; all if null or missing",
        .optional, .maximumCount(100))
    package let channels = Field<[String]?>(setting: TokenFields.fields.channels, .optional, .maximumCount(100))
    package let days = Field<Int?>(
        "days", "life of the credential in days, 3,650 at most; it does not expire if this is null or missing",
        .optional)
    package let user = Field<String?>(
        "user", "username or e-mail address of another owner, for administrators; the sender if null or missing",
        .optional, .example("ana"))
    package let currentPassword = Field<String?>(
        "currentPassword", "password of the session's account, for a token that may rent, manage or administer",
        .optional, .maximumLength(1000))

    package init() {}
}
