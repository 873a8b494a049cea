package import APIContract

/// The fields of a suspension of an item's owner.
package struct OwnerSuspensionFields: ObjectFields {
    package static let name = "OwnerSuspension"
    package static let isClosed = true
    package static let fields = OwnerSuspensionFields()

    package let note = Field<String?>(
        "note", "note that the owner reads; none if null or missing", .optional, .maximumLength(1000))
    package let suspendedFor = Field<Int?>(
        "suspendedFor", "seconds until the account can be used again by itself; without end if null or missing",
        .optional, .minimum(60), .maximum(315360000))

    package init() {}
}
