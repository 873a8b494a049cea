/// Whether an account can be used.
package enum AccountState: String, Sendable, Hashable, CaseIterable {
    /// The link in a mail has not been followed yet.
    case awaitingConfirmation
    /// An administrator has to approve the account.
    case awaitingApproval
    case active
    /// An administrator has locked the account. Its sessions and tokens do not work meanwhile.
    case suspended
}
