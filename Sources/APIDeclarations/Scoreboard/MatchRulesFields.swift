package import APIContract
package import JSONDocument

/// The fields of the rules of a sport.
package struct MatchRulesFields: ObjectFields {
    package static let name = "MatchRules"
    package static let fields = MatchRulesFields()
    package static let columns = [
        TableColumn("RULES", fields.id), TableColumn("SPORT", fields.sportName), TableColumn("NAME", fields.ruleName),
        TableColumn("MODALITIES", fields.modalities), TableColumn("SCORING", fields.scoring),
    ]

    package let id = Field<String>("id", "name of the rules", .example("racquetball3"))
    package let sportName = Field<String>("sport", "sport, in English", .example("Racquetball"))
    package let ruleName = Field<String>("name", "rules, in English", .example("Best of 3 games (15, 15, 11)"))
    package let sports = Field<[String: String]>("sports", "sport by language")
    package let names = Field<[String: String]>("names", "name of the rules by language")
    package let modalities = Field<[String]>(
        "modalities", "modalities that can be played", .each(.oneOf("singles", "doubles", "teams")))
    package let scoring = Field<[String]>(
        "scoring", "ways of scoring; the first one is used unless another is chosen",
        .each(.oneOf("manual", "sideOut", "rally")))
    package let document = Field<JSONText>("document", "the rules themselves, as in their file")

    package init() {}
}
