package import APIContract

/// The fields of a player.
package struct ScorePlayerFields: ObjectFields {
    package static let name = "Player"
    package static let fields = ScorePlayerFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("LAST NAME", fields.lastName),
        TableColumn("FIRST NAME", fields.firstName), TableColumn("COUNTRY", fields.country),
        TableColumn("AGE", fields.age), TableColumn("GENDER", fields.gender),
        TableColumn("EXTRA", fields.extra, .short),
    ]

    package let id = Field<String>("id", "identifier of the player", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let firstName = Field<String>("firstName", "first name", .example("Ana"))
    package let lastName = Field<String>("lastName", "last name", .example("Núñez"))
    package let gender = Field<String>("gender", "gender", .oneOf("female", "male", "other"))
    package let country = Field<String>(
        "country", "country (ISO 3166-1 alpha-2)", .pattern("^[A-Z]{2}$"), .example("ES"))
    package let birthDate = Field<String>("birthDate", "date of birth", .format("date"), .example("1999-04-30"))
    package let age = Field<Int>("age", "age in whole years")
    package let extra = Field<String>(
        "extra", "line below the name, such as a club; may be empty", .example("CD Norte"))
    package let photo = Field<String?>(
        "photo", "path of the photo, which changes with it; null without one", .format("uri-reference"),
        .example("/api/v1/players/c5n1q8e7w3r9t2y6p4d0f8g7h5/photo?v=1x"))
    package let createdAt = Field<APITime>("createdAt", "time of creation")

    package init() {}
}
