/// The purpose of a one-time link.
package enum LinkPurpose: String, Sendable, Hashable, CaseIterable {
    /// Shows that an e-mail address belongs to the account.
    case emailConfirmation
    /// Sets a new password.
    case passwordReset
    /// Creates the first administrator.
    case setUp
    /// Creates an account.
    case invitation

    /// Time after which a link has expired.
    package var lifetime: Duration {
        switch self {
        case .emailConfirmation: .seconds(24 * 3_600)
        case .passwordReset: .seconds(3_600)
        case .setUp: .seconds(24 * 3_600)
        case .invitation: .seconds(7 * 24 * 3_600)
        }
    }
}
