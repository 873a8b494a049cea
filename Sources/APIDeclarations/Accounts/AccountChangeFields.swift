package import APIContract

/// The fields of a change of an account by an administrator.
package struct AccountChangeFields: ObjectFields {
    package static let name = "AccountChange"
    package static let isClosed = true
    package static let fields = AccountChangeFields()

    package let role = Field<String?>(setting: AccountFields.fields.role, .optional, .example("member"))
    package let state = Field<String?>(
        setting: AccountFields.fields.state, "new state of the account: active or suspended", .optional,
        .example("suspended"))
    package let suspendedFor = Field<Int?>(
        "suspendedFor",
        "with the state suspended: seconds until the account can be used again; without end if null or missing",
        .optional, .minimum(60), .maximum(315360000))
    package let password = Field<String?>(
        "password", "new password of the account; its sessions and tokens end", .optional, .maximumLength(1000))

    package init() {}
}
