package import APIContract

/// The fields of a competition of one or more days, to which members publish videos.
package struct CompetitionFields: ObjectFields {
    package static let name = "Competition"
    package static let fields = CompetitionFields()
    package static let columns = [
        TableColumn("FIRST DAY", fields.firstDay), TableColumn("DAYS", fields.dayCount),
        TableColumn("TIME ZONE", fields.timeZone), TableColumn("STATE", fields.state), TableColumn("ID", fields.id),
        TableColumn("NAME", fields.name, .short),
    ]

    package let id = Field<String>("id", "identifier of the competition", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let name = Field<String>("name", "name of the competition", .example("Rally de Otoño"))
    package let description = Field<String>("description", "description of the competition; empty for none")
    package let timeZone = Field<String>(
        "timeZone", "time zone of the dates, a name of the IANA database", .example("Europe/Madrid"))
    package let firstDay = Field<String>(
        "firstDay", "date of the first day in the time zone, from 1900 to 2999", .format("date"))
    package let dayCount = Field<Int>("dayCount", "number of days", .minimum(1), .maximum(60))
    package let state = Field<CompetitionStateName>("state", "state of the competition")
    package let opensAt = Field<APITime>(
        "opensAt", "time from which videos can be added: a week before the first day begins")
    package let startsAt = Field<APITime>("startsAt", "beginning of the first day")
    package let endsAt = Field<APITime>("endsAt", "end of the last day")
    package let image = Field<String?>(
        "image", "path of the image, which changes with it; null if there is none", .format("uri-reference"),
        .example("/api/v1/competitions/c5n1q8e7w3r9t2y6p4d0f8g7h5/image?v=1a2b3c"))
    package let map = Field<String?>(
        "map", "path of the map; null if there is none", .format("uri-reference"),
        .example("/api/v1/competitions/c5n1q8e7w3r9t2y6p4d0f8g7h5/map"))
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let changedAt = Field<APITime>("changedAt", "time of the last change")
    package let days = Field<[APIObject<CompetitionDayFields>]>("days", "days in their order; not in lists", .optional)

    package init() {}
}
