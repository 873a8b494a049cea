package import APIContract

/// The fields of a refund, or of a counter-entry.
package struct CreditNoteFields: ObjectFields {
    package static let name = "CreditNote"
    package static let isClosed = true
    package static let fields = CreditNoteFields()

    package let note = Field<String?>(
        setting: CreditMovementFields.fields.note, "note for the member; none if null or missing", .optional,
        .maximumLength(200))

    package init() {}
}
