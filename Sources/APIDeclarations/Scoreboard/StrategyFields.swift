package import APIContract

/// The fields of a drawing in a list.
package struct StrategyFields: ObjectFields {
    package static let name = "Strategy"
    package static let fields = StrategyFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("NAME", fields.strategyName), TableColumn("COURT", fields.court),
        TableColumn("STROKES", fields.strokeCount), TableColumn("CHANGED", fields.changedAt),
    ]

    package let id = Field<String>("id", "identifier of the drawing", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let strategyName = Field<String>("name", "name", .example("Serve to the left"))
    package let court = Field<String>(
        "court", "court below the drawing",
        .oneOf("racquetball", "volleyball", "badminton", "tennis", "basketball", "football", "plain"))
    package let strokeCount = Field<Int>("strokeCount", "number of lines", .minimum(0))
    package let revision = Field<Int>("revision", "version of the drawing, as in ETag", .minimum(1))
    package let changedAt = Field<APITime>("changedAt", "time of the last change")

    package init() {}
}
