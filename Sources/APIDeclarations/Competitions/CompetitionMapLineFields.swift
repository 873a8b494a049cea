package import APIContract

/// The fields of a line on the map of a competition.
package struct CompetitionMapLineFields: ObjectFields {
    package static let name = "CompetitionMapLine"
    package static let fields = CompetitionMapLineFields()

    package let name = Field<String?>("name", "name that is written beside the line; null for none", .example("SS1"))
    package let points = Field<[[Double]]>(
        "points", "latitude and longitude of each point, in degrees", .each(.minimumCount(2), .maximumCount(2)))

    package init() {}
}
