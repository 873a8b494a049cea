package import APIContract

/// The fields of a text in an ID3 tag (TXXX frame).
package struct ID3TextFields: ObjectFields {
    package static let name = "ID3Text"
    package static let meaning: String? = "text in an ID3 tag (TXXX frame)"
    package static let fields = ID3TextFields()

    package let description = Field<String>(
        "description", "name of the text within the tag", .minimumLength(1), .maximumLength(128), .example("title"))
    package let value = Field<String>("value", "the text itself", .minimumLength(1), .maximumLength(1024))

    package init() {}
}
