package import APIContract

/// The fields of a message about a payment, from a payment provider's program.
package struct PaymentEventFields: ObjectFields {
    package static let name = "PaymentEvent"
    package static let fields = PaymentEventFields()

    package let type = Field<String>(
        "type", "event: the payment was made, or refunded", .oneOf("payment.completed", "payment.refunded"))
    package let data = Field<APIObject<PaymentDataFields>>("data", "payment that the message is about")

    package init() {}
}
