package import APIContract

/// The fields of a change of the details of a title; null takes an operator's choice back.
package struct TitleDetailsChangeFields: ObjectFields {
    package static let name = "TitleDetailsChange"
    package static let isClosed = true
    package static let fields = TitleDetailsChangeFields()

    package let title = Field<String?>(
        setting: TitleDetailsFields.fields.title, .optional, .minimumLength(1), .maximumLength(300),
        .example("Garden of life"))
    package let description = Field<String?>(
        setting: TitleDetailsFields.fields.description, .optional, .minimumLength(1), .maximumLength(10000))
    package let year = Field<Int?>(setting: TitleDetailsFields.fields.year, .optional, .minimum(1), .maximum(9999))
    package let genres = Field<[String]?>(
        setting: TitleDetailsFields.fields.genres, .optional, .minimumCount(1), .maximumCount(20),
        .each(.minimumLength(1), .maximumLength(64)))
    package let cast = Field<[String]?>(
        setting: TitleDetailsFields.fields.cast, .optional, .minimumCount(1), .maximumCount(50),
        .each(.minimumLength(1), .maximumLength(64)))
    package let ageRating = Field<String?>(
        setting: TitleDetailsFields.fields.ageRating, .optional, .minimumLength(1), .maximumLength(32), .example("12"))
    package let website = Field<String?>(
        setting: TitleDetailsFields.fields.website, .optional, .maximumLength(2048), .pattern("^https?://"),
        .example("https://example.org/"))
    package let series = Field<String?>(
        setting: TitleDetailsFields.fields.series, .optional, .minimumLength(1), .maximumLength(300), .example("Rally"))
    package let season = Field<Int?>(setting: TitleDetailsFields.fields.season, .optional, .minimum(0), .maximum(9999))
    package let episode = Field<Int?>(
        setting: TitleDetailsFields.fields.episode, .optional, .minimum(0), .maximum(99999))
    package let artist = Field<String?>(
        setting: TitleDetailsFields.fields.artist, .optional, .minimumLength(1), .maximumLength(300), .example("Ana"))
    package let album = Field<String?>(
        setting: TitleDetailsFields.fields.album, .optional, .minimumLength(1), .maximumLength(300), .example("Uno"))

    package init() {}
}
