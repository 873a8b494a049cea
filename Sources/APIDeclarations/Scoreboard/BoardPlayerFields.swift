package import APIContract

/// The fields of a player on a board.
package struct BoardPlayerFields: ObjectFields {
    package static let name = "BoardPlayer"
    package static let fields = BoardPlayerFields()

    package let id = Field<String?>("id", "identifier of the player; null for a name that is not among the players")
    package let fullName = Field<String>("name", "first and last name, or the name of a team", .example("Ana Núñez"))
    package let shortName = Field<String>("shortName", "last name, for small boards", .example("Núñez"))
    package let country = Field<String?>("country", "country (ISO 3166-1 alpha-2); null if it is not known")
    package let gender = Field<String?>(
        "gender", "gender; null if it is not known", .oneOf("female", "male", "other"))
    package let age = Field<Int?>("age", "age in whole years; null if it is not known")
    package let extra = Field<String>("extra", "line below the name; may be empty")
    package let photo = Field<String?>(setting: ScorePlayerFields.fields.photo)

    package init() {}
}
