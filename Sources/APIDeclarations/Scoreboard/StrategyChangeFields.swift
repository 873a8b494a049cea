package import APIContract
package import JSONDocument

/// The fields of a new drawing, or of a change of one.
package struct StrategyChangeFields: ObjectFields {
    package static let name = "StrategyChange"
    package static let isClosed = true
    package static let fields = StrategyChangeFields()

    package let strategyName = Field<String?>(
        setting: StrategyFields.fields.strategyName, .optional, .minimumLength(1), .maximumLength(80))
    package let court = Field<String?>(
        setting: StrategyFields.fields.court, .optional,
        .oneOf("racquetball", "volleyball", "badminton", "tennis", "basketball", "football", "plain"))
    package let strokes = Field<[JSONText]?>(
        setting: ShownStrategyFields.fields.strokes, .optional, .maximumCount(400),
        .example(
            .array([
                .object([
                    ("color", .string("#ff0000")), ("width", .integer(60)), ("opacity", .integer(100)),
                    ("points", .array([.integer(0), .integer(0), .integer(16_000), .integer(10_000)])),
                ])
            ])))

    package init() {}
}
