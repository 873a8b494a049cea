package import APIContract

/// The fields of a new account as a form, which may have a photo.
package struct NewAccountFormFields: ObjectFields {
    package static let name = "NewAccountForm"
    package static let fields = NewAccountFormFields()

    package let username = Field<String>(
        setting: AccountFields.fields.username, .minimumLength(1), .maximumLength(256), .example("ana"))
    package let email = Field<String>(
        setting: AccountFields.fields.email, "e-mail address of the owner", .optional, .maximumLength(320),
        .example("ana@example.org"))
    package let password = Field<String>(
        setting: NewAccountFields.fields.password, .minimumLength(1), .maximumLength(1000))
    package let invitation = Field<String>(
        setting: NewAccountFields.fields.invitation, "value of `link` in the address of an invitation", .optional,
        .maximumLength(100))
    package let role = Field<String>(setting: NewAccountFields.fields.role, .optional, .example("member"))
    package let name = Field<String>(
        setting: AccountFields.fields.name, "full name of the owner", .optional, .maximumLength(100),
        .example("Ana García"))
    package let mobile = Field<String>(
        setting: AccountFields.fields.mobile, "mobile number of the owner", .optional, .maximumLength(100),
        .example("+34 600 000 000"))
    package let city = Field<String>(
        setting: AccountFields.fields.city, "city of the owner", .optional, .maximumLength(100), .example("Cádiz"))
    package let country = Field<String>(
        setting: AccountFields.fields.country, "country of the owner", .optional, .maximumLength(100),
        .example("España"))
    package let photo = Field<String>(
        "photo", "photo of the owner: a JPEG or PNG file of at most 8 MiB", .optional, .format("binary"))

    package init() {}
}
