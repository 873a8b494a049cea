/// A change of an account by an administrator. A field that is `nil` stays as it is.
package struct AccountChange: Sendable, Hashable {
    package var role: Role?
    /// True for an account that can be used: one that waits is approved, and one that is suspended is restored.
    package var isUsable: Bool?
    package var password: String?

    package init(role: Role? = nil, isUsable: Bool? = nil, password: String? = nil) {
        (self.role, self.isUsable, self.password) = (role, isUsable, password)
    }
}
