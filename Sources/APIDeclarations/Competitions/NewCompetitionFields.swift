package import APIContract
import JSONDocument

/// The fields of a new competition.
package struct NewCompetitionFields: ObjectFields {
    package static let name = "NewCompetition"
    package static let isClosed = true
    package static let fields = NewCompetitionFields()

    package let name = Field<String>(
        setting: CompetitionFields.fields.name, .minimumLength(1), .maximumLength(200), .example("Rally de Otoño"))
    package let description = Field<String?>(
        setting: CompetitionFields.fields.description, .optional, .maximumLength(10000))
    package let timeZone = Field<String>(
        setting: CompetitionFields.fields.timeZone, .minimumLength(1), .maximumLength(100),
        .example(.string("Europe/Madrid")))
    package let firstDay = Field<String>(setting: CompetitionFields.fields.firstDay, .format("date"))
    package let dayCount = Field<Int?>(
        setting: CompetitionFields.fields.dayCount, .optional, .minimum(1), .maximum(60), .standard(.integer(1)))

    package init() {}
}
