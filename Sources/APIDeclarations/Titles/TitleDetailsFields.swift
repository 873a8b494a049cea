package import APIContract

/// The fields of the details of a title; a field is null if none of its sources has a value.
package struct TitleDetailsFields: ObjectFields {
    package static let name = "TitleDetails"
    package static let fields = TitleDetailsFields()

    package let title = Field<String?>("title", "title that people read", .example("Garden of life"))
    package let description = Field<String?>("description", "description that people read")
    package let year = Field<Int?>("year", "year of publication")
    package let genres = Field<[String]?>("genres", "genres")
    package let cast = Field<[String]?>("cast", "actors, the best known first")
    package let ageRating = Field<String?>("ageRating", "age rating, such as `12` or `PG-13`", .example("12"))
    package let website = Field<String?>("website", "address of a page with more", .example("https://example.org/"))
    package let series = Field<String?>("series", "name of the series that an episode belongs to", .example("Rally"))
    package let season = Field<Int?>("season", "number of the season, 0 for specials")
    package let episode = Field<Int?>("episode", "number of the episode in its season")
    package let artist = Field<String?>("artist", "artist who performs", .example("Ana"))
    package let album = Field<String?>("album", "album or collection", .example("Uno"))
    package let sources = Field<[String: String]>(
        "sources",
        "source of each field that is not null: the operator, the notes beside the file (.nfo), or the file itself",
        .each(.oneOf("operator", "nfo", "file")))

    package init() {}
}
