package import APIContract

/// The fields of the result of an import of players.
package struct PlayerImportFields: ObjectFields {
    package static let name = "PlayerImport"
    package static let fields = PlayerImportFields()

    package let read = Field<Int>("read", "number of rows that were read", .minimum(0))
    package let added = Field<Int>(
        "added", "number of players that were added, or that would be in a trial", .minimum(0))
    package let duplicates = Field<[APIObject<PlayerImportLineFields>]>(
        "duplicates", "the first 100 rows about players who are there already, or in an earlier row",
        .maximumCount(100))
    package let problems = Field<[APIObject<PlayerImportLineFields>]>(
        "problems", "the first 100 problems; nobody is added if there is one", .maximumCount(100))

    package init() {}
}
