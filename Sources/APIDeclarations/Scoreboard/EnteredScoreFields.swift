package import APIContract
package import JSONDocument

/// The fields of an event of a match in the export of the member who has entered it.
package struct EnteredScoreFields: ObjectFields {
    package static let name = "EnteredScore"
    package static let fields = EnteredScoreFields()

    package let match = Field<String>("match", "identifier of the match", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let sequence = MatchEventFields.fields.sequence
    package let time = MatchEventFields.fields.time
    package let event = Field<JSONText>(
        "event", "the event, with its `type`", .example(.object([("type", .string("start"))])))

    package init() {}
}
