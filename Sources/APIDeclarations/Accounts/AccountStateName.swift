package import APIContract

/// `AccountState` in the description.
package struct AccountStateName: NamedValue {
    package static let name = "AccountState"
    package static let traits: [SchemaTrait] = [
        .oneOf("awaitingConfirmation", "awaitingApproval", "active", "suspended")
    ]

    package let content: String

    package init(_ content: String) { self.content = content }
}
