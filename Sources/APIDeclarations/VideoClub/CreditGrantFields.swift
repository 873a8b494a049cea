package import APIContract

/// The fields of credits that an operator gives to a member.
package struct CreditGrantFields: ObjectFields {
    package static let name = "CreditGrant"
    package static let isClosed = true
    package static let fields = CreditGrantFields()

    package let amount = Field<Int>("amount", "number of credits", .minimum(1), .maximum(1000000))
    package let reason = Field<String?>(
        setting: CreditMovementFields.fields.reason, "reason of the movement; a top-up if null or missing", .optional,
        .oneOf("top-up", "payment", "gift"))
    package let note = Field<String?>(
        setting: CreditMovementFields.fields.note, "note for the member; none if null or missing", .optional,
        .maximumLength(200))
    package let expiresIn = Field<Int?>(
        "expiresIn", "seconds after which unspent credits of a gift end; null for no end, and for every other reason",
        .optional, .minimum(60), .maximum(315360000))

    package init() {}
}
