package import APIContract

/// The fields of a change of the sender's account by its owner.
package struct ProfileChangeFields: ObjectFields {
    package static let name = "ProfileChange"
    package static let isClosed = true
    package static let fields = ProfileChangeFields()

    package let name = Field<String?>(
        setting: AccountFields.fields.name, .optional, .maximumLength(100), .example("Ana García"))
    package let mobile = Field<String?>(
        setting: AccountFields.fields.mobile, .optional, .maximumLength(100), .example("+34 600 000 000"))
    package let city = Field<String?>(
        setting: AccountFields.fields.city, .optional, .maximumLength(100), .example("Cádiz"))
    package let country = Field<String?>(
        setting: AccountFields.fields.country, .optional, .maximumLength(100), .example("España"))
    package let language = Field<String?>(setting: AccountFields.fields.language, .optional, .oneOf("en", "es"))

    package init() {}
}
