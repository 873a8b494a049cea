package import APIContract

/// The fields of credits that end at a time.
package struct ExpiringCreditFields: ObjectFields {
    package static let name = "ExpiringCredit"
    package static let fields = ExpiringCreditFields()

    package let amount = Field<Int>("amount", "number of credits", .minimum(1))
    package let expiresAt = Field<APITime>("expiresAt", "time at which they end unless they are spent")

    package init() {}
}
