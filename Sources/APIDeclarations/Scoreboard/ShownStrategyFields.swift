package import APIContract
package import JSONDocument

/// The fields of a drawing on the board of a channel.
package struct ShownStrategyFields: ObjectFields {
    package static let name = "ShownStrategy"
    package static let fields = ShownStrategyFields()

    package let court = StrategyFields.fields.court
    package let strokes = Field<[JSONText]>(
        "strokes",
        "lines, at most 400 and 128 KiB in all, each with a `color` (#rrggbb), a `width` (10 to 600), an `opacity` (5 to 100) and `points`: x (0 to 16,000) and y (0 to 10,000) in turns, at most 400 pairs",
        .maximumCount(400),
        .example(
            .array([
                .object([
                    ("color", .string("#ff0000")), ("width", .integer(60)), ("opacity", .integer(100)),
                    ("points", .array([.integer(0), .integer(0), .integer(16_000), .integer(10_000)])),
                ])
            ])))

    package init() {}
}
