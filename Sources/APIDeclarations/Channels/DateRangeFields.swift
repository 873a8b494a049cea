package import APIContract

/// The fields of timed metadata that was announced to viewers (EXT-X-DATERANGE).
package struct DateRangeFields: ObjectFields {
    package static let name = "DateRange"
    package static let fields = DateRangeFields()

    package let id = Field<String>("id", "identifier of the range, unique within the channel", .example("ad-1"))
    package let `class` = Field<String?>(
        "class", "class of the range; attributes have the same meaning in all ranges of a class; null for none",
        .example("com.example.ad"))
    package let startDate = Field<APITime>("startDate", "beginning of the range")
    package let duration = Field<Double?>("duration", "duration in seconds; null if it is not known")
    package let plannedDuration = Field<Double?>(
        "plannedDuration", "expected duration in seconds of a range whose end is not known yet; null for none")
    package let endOnNext = Field<Bool>(
        "endOnNext", "whether the range ends at the beginning of the next one of its class")

    package init() {}
}
