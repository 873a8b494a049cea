package import APIContract

/// The fields of a new player, or of a change of one.
package struct ScorePlayerChangeFields: ObjectFields {
    package static let name = "PlayerChange"
    package static let isClosed = true
    package static let fields = ScorePlayerChangeFields()

    package let firstName = Field<String?>(
        setting: ScorePlayerFields.fields.firstName, .optional, .minimumLength(1), .maximumLength(60))
    package let lastName = Field<String?>(
        setting: ScorePlayerFields.fields.lastName, .optional, .minimumLength(1), .maximumLength(60))
    package let gender = Field<String?>(
        setting: ScorePlayerFields.fields.gender, .optional, .oneOf("female", "male", "other"))
    package let country = Field<String?>(
        setting: ScorePlayerFields.fields.country, .optional, .minimumLength(2), .maximumLength(2), .example("ES"))
    package let birthDate = Field<String?>(
        setting: ScorePlayerFields.fields.birthDate, .optional, .format("date"), .example("1999-04-30"))
    package let extra = Field<String?>(setting: ScorePlayerFields.fields.extra, .optional, .maximumLength(120))

    package init() {}
}
