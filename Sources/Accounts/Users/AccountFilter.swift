/// Which accounts are listed; `nil` for all.
package struct AccountFilter: Sendable, Hashable {
    package var state: AccountState?
    package var role: Role?
    /// The beginning of the username, in any case.
    package var prefix: String?

    package init(state: AccountState? = nil, role: Role? = nil, prefix: String? = nil) {
        (self.state, self.role, self.prefix) = (state, role, prefix)
    }
}
