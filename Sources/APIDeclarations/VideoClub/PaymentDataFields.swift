package import APIContract

/// The fields of a payment for credits.
package struct PaymentDataFields: ObjectFields {
    package static let name = "PaymentData"
    package static let fields = PaymentDataFields()

    package let reference = Field<String>(
        "reference", "name of the payment at the provider; each payment gives credits once", .minimumLength(1),
        .maximumLength(200), .example("pi_123"))
    package let user = Field<String>(
        "user", "username or e-mail address of the member; needed for payment.completed", .optional, .minimumLength(1),
        .maximumLength(320), .example("ana"))
    package let credits = Field<Int>(
        "credits", "number of credits; needed for payment.completed", .optional, .minimum(1), .maximum(1000000))

    package init() {}
}
