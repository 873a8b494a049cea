package import APIContract

/// The fields of a title's row in the table of details and terms.
package struct CatalogueEntryFields: ObjectFields {
    package static let name = "CatalogueEntry"
    package static let fields = CatalogueEntryFields()

    package let id = Field<String?>(
        "id", "ID of the title; an import needs this or `file`", .optional, .example("film"))
    package let file = Field<String?>(
        "file", "path of the file in the media folder; it identifies the title of an import that has no `id`",
        .optional, .example("film.mp4"))
    package let title = Field<String?>(setting: TitleDetailsFields.fields.title, .optional, .example("Garden of life"))
    package let description = Field<String?>(setting: TitleDetailsFields.fields.description, .optional)
    package let year = Field<Int?>(setting: TitleDetailsFields.fields.year, .optional)
    package let genres = Field<[String]?>(setting: TitleDetailsFields.fields.genres, .optional)
    package let cast = Field<[String]?>(setting: TitleDetailsFields.fields.cast, .optional)
    package let ageRating = Field<String?>(setting: TitleDetailsFields.fields.ageRating, .optional)
    package let website = Field<String?>(setting: TitleDetailsFields.fields.website, .optional)
    package let series = Field<String?>(setting: TitleDetailsFields.fields.series, .optional)
    package let season = Field<Int?>(setting: TitleDetailsFields.fields.season, .optional)
    package let episode = Field<Int?>(setting: TitleDetailsFields.fields.episode, .optional)
    package let artist = Field<String?>(setting: TitleDetailsFields.fields.artist, .optional)
    package let album = Field<String?>(setting: TitleDetailsFields.fields.album, .optional)
    package let price = Field<Int?>(setting: TermsFields.fields.price, .optional)
    package let regularPrice = Field<Int?>(setting: TermsFields.fields.regularPrice, .optional)
    package let featured = Field<Bool>(setting: TermsFields.fields.featured, .optional)
    package let asksForFreeRental = Field<Bool>(setting: TermsFields.fields.asksForFreeRental, .optional)
    package let minutesToStart = Field<Int?>(setting: TermsFields.fields.minutesToStart, .optional)
    package let minutesToPlay = Field<Int?>(setting: TermsFields.fields.minutesToPlay, .optional)
    package let trailer = Field<String?>(setting: TermsFields.fields.trailer, .optional, .example("film-trailer"))

    package init() {}
}
