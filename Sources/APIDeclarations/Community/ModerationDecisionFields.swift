package import APIContract

/// The fields of a moderator's decision about an item.
package struct ModerationDecisionFields: ObjectFields {
    package static let name = "ModerationDecision"
    package static let isClosed = true
    package static let fields = ModerationDecisionFields()

    package let decision = Field<String>(
        "decision", "decision: the item is shown as before, stays hidden, or is deleted",
        .oneOf("restored", "hidden", "deleted"))
    package let note = Field<String?>(
        "note", "note that the owner reads; none if null or missing", .optional, .maximumLength(1000))

    package init() {}
}
