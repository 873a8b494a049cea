package import APIContract

/// The fields of a new category of the forum, or of a change of one.
package struct TopicCategoryChangeFields: ObjectFields {
    package static let name = "TopicCategoryChange"
    package static let isClosed = true
    package static let fields = TopicCategoryChangeFields()

    package let name = Field<String?>(
        "name", "name, unique without case and accents; null as if it were missing", .optional, .minimumLength(1),
        .maximumLength(80))
    package let text = Field<String?>(
        "text", "description of the category; null as if it were missing", .optional, .maximumLength(500))
    package let place = Field<Int?>(
        "place", "position in the list; null as if it were missing", .optional, .minimum(0), .maximum(1_000_000))

    package init() {}
}
