package import APIContract

/// The fields of an account whose e-mail address was just confirmed.
package struct ConfirmedAccountFields: ObjectFields {
    package static let name = "ConfirmedAccount"
    package static let fields = ConfirmedAccountFields()

    package let username = Field<String>("username", "username of the account", .example("ana"))
    package let state = Field<AccountStateName>(
        "state", "state of the account, which can be used now, or waits for approval")

    package init() {}
}
