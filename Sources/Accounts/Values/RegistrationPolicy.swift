/// The policy for sign-ups.
package enum RegistrationPolicy: String, Sendable, Hashable, CaseIterable {
    /// Anybody.
    case open
    /// Anybody; an administrator approves each account.
    case approval
    /// Holders of an invitation.
    case invitation
    /// Nobody; administrators create accounts.
    case closed
}
