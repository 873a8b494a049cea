package import APIContract
package import JSONDocument

/// The fields of an entry of a match's log.
package struct MatchEventFields: ObjectFields {
    package static let name = "MatchEvent"
    package static let fields = MatchEventFields()
    package static let columns = [
        TableColumn("NUMBER", fields.sequence), TableColumn("TIME", fields.time),
        TableColumn("COUNTS", fields.counts, .yesOrNo),
        TableColumn("EVENT", fields.event),
    ]

    package let sequence = Field<Int>("sequence", "number of the entry, from 1")
    package let time = Field<APITime>("time", "time at which it happened")
    package let event = Field<JSONText>(
        "event",
        "the event, with its `type`; `amend` replaces the event of an earlier entry, or leaves it out (null)",
        .example(.object([("type", .string("point")), ("side", .string("a"))])))
    package let counts = Field<Bool>(
        "counts", "whether the event counts as it is; false if it was amended or is a conflict")

    package init() {}
}
