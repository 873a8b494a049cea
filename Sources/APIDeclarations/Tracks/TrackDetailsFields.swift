package import APIContract

/// The fields of the details of a track; a field is null if none of its sources has a value.
package struct TrackDetailsFields: ObjectFields {
    package static let name = "TrackDetails"
    package static let fields = TrackDetailsFields()

    package let title = Field<String?>("title", "title that people read", .example("Mar"))
    package let artist = Field<String?>("artist", "artist who performs", .example("Ana"))
    package let album = Field<String?>("album", "album or collection", .example("Uno"))
    package let trackNumber = Field<Int?>("trackNumber", "number of the track on its album")
    package let year = Field<Int?>("year", "year of publication")
    package let genres = Field<[String]?>("genres", "genres")
    package let description = Field<String?>("description", "description that people read")
    package let website = Field<String?>("website", "address of a page with more", .example("https://example.org/"))
    package let sources = Field<[String: String]>(
        "sources",
        "source of each field that is not null: the operator, the notes beside the file (.nfo), or the file itself",
        .each(.oneOf("operator", "nfo", "file")))

    package init() {}
}
