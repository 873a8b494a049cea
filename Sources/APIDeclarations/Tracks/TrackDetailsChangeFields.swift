package import APIContract

/// The fields of a change of the details of a track; null takes an operator's choice back.
package struct TrackDetailsChangeFields: ObjectFields {
    package static let name = "TrackDetailsChange"
    package static let isClosed = true
    package static let fields = TrackDetailsChangeFields()

    package let title = Field<String?>(
        setting: TrackDetailsFields.fields.title, .optional, .minimumLength(1), .maximumLength(300), .example("Mar"))
    package let artist = Field<String?>(
        setting: TrackDetailsFields.fields.artist, .optional, .minimumLength(1), .maximumLength(300), .example("Ana"))
    package let album = Field<String?>(
        setting: TrackDetailsFields.fields.album, .optional, .minimumLength(1), .maximumLength(300), .example("Uno"))
    package let trackNumber = Field<Int?>(
        setting: TrackDetailsFields.fields.trackNumber, .optional, .minimum(1), .maximum(99999))
    package let year = Field<Int?>(setting: TrackDetailsFields.fields.year, .optional, .minimum(1), .maximum(9999))
    package let genres = Field<[String]?>(
        setting: TrackDetailsFields.fields.genres, .optional, .minimumCount(1), .maximumCount(20),
        .each(.minimumLength(1), .maximumLength(64)))
    package let description = Field<String?>(
        setting: TrackDetailsFields.fields.description, .optional, .minimumLength(1), .maximumLength(10000))
    package let website = Field<String?>(
        setting: TrackDetailsFields.fields.website, .optional, .maximumLength(2048), .pattern("^https?://"),
        .example("https://example.org/"))

    package init() {}
}
