package import APIContract

/// The fields of a row of a table of players that was not added.
package struct PlayerImportLineFields: ObjectFields {
    package static let name = "PlayerImportLine"
    package static let fields = PlayerImportLineFields()

    package let line = Field<Int>("line", "line of the file, from 1", .minimum(1))
    package let column = Field<String?>("column", "column; null for the whole row", .example("birthDate"))
    package let reason = Field<String>("reason", "reason", .example("must be a date like 1999-04-30"))

    package init() {}
}
