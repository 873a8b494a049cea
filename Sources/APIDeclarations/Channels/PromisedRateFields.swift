package import APIContract

/// The fields of a promised and a measured rate.
package struct PromisedRateFields: ObjectFields {
    package static let name = "PromisedRate"
    package static let fields = PromisedRateFields()

    package let promised = Field<Double>("promised", "rate that the preset promises")
    package let measured = Field<Double>(
        "measured", "rate that the publisher sends; absent if it is not known", .optional)
    package let verdict = Field<Verdict>(
        "verdict", "relation of the measured rate to the promised one; absent if nothing was measured", .optional)

    package init() {}
}
