package import APIContract

/// The fields of a new account.
package struct NewAccountFields: ObjectFields {
    package static let name = "NewAccount"
    package static let isClosed = true
    package static let fields = NewAccountFields()

    package let username = Field<String>(
        setting: AccountFields.fields.username, .minimumLength(1), .maximumLength(256), .example("ana"))
    package let email = Field<String?>(
        setting: AccountFields.fields.email, .optional, .maximumLength(320), .example("ana@example.org"))
    package let password = Field<String>(
        "password", "password of the account; short and very common ones are refused", .minimumLength(1),
        .maximumLength(1000))
    package let invitation = Field<String?>(
        "invitation", "value of `link` in the address of an invitation; null or missing without an invitation",
        .optional, .maximumLength(100))
    package let role = Field<String?>(
        "role",
        "role of the account, by administrators only: viewer, member, broadcaster, moderator, operator, administrator",
        .optional, .example("member"))
    package let name = Field<String?>(
        setting: AccountFields.fields.name, .optional, .maximumLength(100), .example("Ana García"))
    package let mobile = Field<String?>(
        setting: AccountFields.fields.mobile, .optional, .maximumLength(100), .example("+34 600 000 000"))
    package let city = Field<String?>(
        setting: AccountFields.fields.city, .optional, .maximumLength(100), .example("Cádiz"))
    package let country = Field<String?>(
        setting: AccountFields.fields.country, .optional, .maximumLength(100), .example("España"))

    package init() {}
}
