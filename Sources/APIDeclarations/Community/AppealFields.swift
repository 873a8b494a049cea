package import APIContract

/// The fields of an appeal against a decision of the moderators.
package struct AppealFields: ObjectFields {
    package static let name = "Appeal"
    package static let isClosed = true
    package static let fields = AppealFields()

    package let text = Field<String>(
        "text", "objection to the decision, for the moderators", .minimumLength(1), .maximumLength(1000))

    package init() {}
}
