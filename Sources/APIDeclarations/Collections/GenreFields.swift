package import APIContract

/// The fields of a genre of titles.
package struct GenreFields: ObjectFields {
    package static let name = "Genre"
    package static let fields = GenreFields()

    package let name = Field<String>("name", "name of the genre", .example("Drama"))

    package init() {}
}
