package import APIContract

/// The fields of a movement of a member's credits.
package struct CreditMovementFields: ObjectFields {
    package static let name = "CreditMovement"
    package static let fields = CreditMovementFields()
    package static let columns = [
        TableColumn("AT", fields.happenedAt), TableColumn("ID", fields.id), TableColumn("REASON", fields.reason),
        TableColumn("AMOUNT", fields.amount), TableColumn("BALANCE", fields.balance),
        TableColumn("NOTE", fields.note, .short),
    ]

    package let id = Field<String>("id", "identifier of the movement", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let reason = Field<String>(
        "reason", "reason of the movement",
        .oneOf("top-up", "payment", "gift", "rental", "refund", "reversal", "expired"))
    package let amount = Field<Int>("amount", "number of credits that the member has got; negative if they were taken")
    package let balance = Field<Int>("balance", "number of the member's credits after the movement", .minimum(0))
    package let note = Field<String>("note", "note of the operator; empty for none")
    package let rental = Field<String?>(
        "rental", "ID of the rental that was paid or refunded; null for other reasons",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let reverses = Field<String?>(
        "reverses", "ID of the movement that this one takes back; null for none",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let happenedAt = Field<APITime>("happenedAt", "time of the movement")
    package let expiresAt = Field<APITime?>(
        "expiresAt", "first end of credits that came with the movement; null if they have none")

    package init() {}
}
