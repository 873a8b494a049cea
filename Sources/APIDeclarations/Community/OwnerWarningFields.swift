package import APIContract

/// The fields of a warning to an item's owner.
package struct OwnerWarningFields: ObjectFields {
    package static let name = "OwnerWarning"
    package static let isClosed = true
    package static let fields = OwnerWarningFields()

    package let text = Field<String>("text", "warning that the owner reads", .minimumLength(1), .maximumLength(1000))

    package init() {}
}
