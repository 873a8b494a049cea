package import APIContract

/// The fields of the answer to a request that rents a title.
package struct RentalBegunFields: ObjectFields {
    package static let name = "RentalBegun"
    package static let fields = RentalBegunFields()

    package let rental = Field<APIObject<RentalFields>>("rental", "the new rental")
    package let balance = Field<Int>("balance", "number of credits that are left", .minimum(0))

    package init() {}
}
