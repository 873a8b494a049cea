/// The statements of a provider about somebody who signs up or connects an account.
package struct NewIdentity: Sendable {
    package var identity: ExternalIdentity
    package var label: String
    /// The address that the provider has checked; `nil` if it has checked none.
    package var verifiedEmail: String?
    /// The role that the provider decides; `nil` if it decides none.
    package var role: Role?
    /// Whether the session that begins with the account outlives the browser.
    package var staysLoggedIn = false

    package init(_ identity: ExternalIdentity, label: String, verifiedEmail: String? = nil, role: Role? = nil) {
        (self.identity, self.label, self.verifiedEmail, self.role) = (identity, label, verifiedEmail, role)
    }
}
