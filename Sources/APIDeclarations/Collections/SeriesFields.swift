package import APIContract

/// The fields of a series: the titles with the same name of a series.
package struct SeriesFields: ObjectFields {
    package static let name = "Series"
    package static let fields = SeriesFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("SERIES", fields.name, .short),
        TableColumn("TITLES", fields.titleCount),
    ]

    package let id = Field<String>(
        "id", "identifier, which stays the same as long as the name does", .pattern("^[0-9a-f]{24}$"),
        .example("5f0c2d3b9a7e41688c1d0f2e"))
    package let name = Field<String>("name", "name of the series", .example("Rally"))
    package let titleCount = Field<Int>(
        "titleCount", "number of titles that the sender may be shown, counted up to 1000", .minimum(1), .maximum(1000))
    package let poster = Field<String?>(
        "poster", "path of the poster of the first title; null if it has none",
        .example("/vod/film/poster.jpg?v=1a2b3c"))

    package init() {}
}
