package import APIContract
package import JSONDocument

/// The fields of timed metadata that is inserted at a channel's live edge.
package struct MetadataFields: ObjectFields {
    package static let name = "Metadata"
    package static let isClosed = true
    package static let fields = MetadataFields()

    package let id = Field<String>(
        setting: DateRangeFields.fields.id,
        "identifier of the range, unique within the channel; made by the server if missing", .optional,
        .minimumLength(1), .maximumLength(128), .example("ad-1"))
    package let `class` = Field<String>(
        setting: DateRangeFields.fields.class,
        "class of the range; attributes have the same meaning in all ranges of a class", .optional, .minimumLength(1),
        .maximumLength(128), .example("com.example.ad"))
    package let duration = Field<Double>(
        setting: DateRangeFields.fields.duration, "duration in seconds; not together with endOnNext", .optional,
        .minimum(0), .maximum(604800))
    package let plannedDuration = Field<Double>(
        setting: DateRangeFields.fields.plannedDuration,
        "expected duration in seconds of a range whose end is not known yet", .optional, .minimum(0), .maximum(604800))
    package let endOnNext = Field<Bool>(
        setting: DateRangeFields.fields.endOnNext,
        "whether the range ends at the beginning of the next one of its class, which it needs then", .optional)
    package let attributes = Field<[String: JSONText]>(
        "attributes", "X-… attributes with a string or a number; SCTE35-CMD, -OUT or -IN with 0x…", .optional,
        .maximumMemberCount(16),
        .each(.schema(.object([("type", .array([.string("string"), .string("number")]))])), .example("2026")))
    package let id3 = Field<APIObject<ID3TextFields>>(
        "id3", "text in an ID3 tag (TXXX frame) before the next part of each rendition; none if missing", .optional)

    package init() {}
}
