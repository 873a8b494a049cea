package import APIContract

/// The fields of a change of a competition.
package struct CompetitionChangeFields: ObjectFields {
    package static let name = "CompetitionChange"
    package static let isClosed = true
    package static let fields = CompetitionChangeFields()

    package let name = Field<String?>(
        setting: CompetitionFields.fields.name, .optional, .minimumLength(1), .maximumLength(200),
        .example("Rally de Otoño"))
    package let description = Field<String?>(
        setting: CompetitionFields.fields.description, "description of the competition; null for none", .optional,
        .maximumLength(10000))
    package let timeZone = Field<String?>(
        setting: CompetitionFields.fields.timeZone, .optional, .minimumLength(1), .maximumLength(100),
        .example("Europe/Madrid"))
    package let firstDay = Field<String?>(setting: CompetitionFields.fields.firstDay, .optional, .format("date"))
    package let dayCount = Field<Int?>(setting: CompetitionFields.fields.dayCount, .optional, .minimum(1), .maximum(60))

    package init() {}
}
