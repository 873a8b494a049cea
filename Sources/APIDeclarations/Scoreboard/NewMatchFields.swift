package import APIContract
import JSONDocument

/// The fields of a new match.
package struct NewMatchFields: ObjectFields {
    package static let name = "NewMatch"
    package static let isClosed = true
    package static let fields = NewMatchFields()

    package let channel = Field<String>(setting: MatchFields.fields.channel, .minimumLength(1), .example("canalA"))
    package let rules = Field<String>(setting: MatchFields.fields.rules, .minimumLength(1), .example("racquetball3"))
    package let modality = Field<String?>(
        "modality", "modality; the first one of the rules if missing", .optional, .oneOf("singles", "doubles", "teams"))
    package let scoring = Field<String?>(
        "scoring", "way of scoring; that of the rules if missing", .optional, .oneOf("manual", "sideOut", "rally"))
    package let sideA = Field<[String]>(
        "sideA", "first side: IDs of players, or names; two for doubles", .minimumCount(1), .maximumCount(2),
        .example(.array([.string("Ana Núñez")])))
    package let sideB = Field<[String]>(
        "sideB", "second side", .minimumCount(1), .maximumCount(2), .example(.array([.string("Berta Ortiz")])))
    package let firstServer = Field<String?>(
        "firstServer", "player who serves first: a1, a2, b1 or b2; drawn between a1 and b1 if missing", .optional,
        .oneOf("a1", "a2", "b1", "b2"))
    package let drawn = Field<Bool?>(
        "drawn", "whether `firstServer` was drawn, such as by a tablet without a network", .optional)
    package let drawSeed = Field<String?>(
        "drawSeed",
        "seed of the sender's draw, from which `firstServer` follows if it is missing; see `drawSeed` of the board",
        .optional, .pattern("^[0-9a-f]{16}$"), .example("5f0c9a1b77e2d340"))
    package let competition = Field<String?>("competition", "competition", .optional, .maximumLength(120))
    package let stage = Field<String?>("stage", "day, round or court", .optional, .maximumLength(120))
    package let referee = Field<String?>("referee", "name of the referee", .optional, .maximumLength(120))

    package init() {}
}
