package import Accounts

/// A mail about an account.
package enum AccountMail: Sendable, Hashable {
    /// The link that confirms the address of somebody who has signed up.
    case confirmation(NewLink, of: Account)
    /// The same again, if an account waits for the confirmation of the address; otherwise no mail.
    case confirmationAgain(EmailAddress)
    /// The link that confirms the new address of an account, to that address.
    case newAddress(NewLink, of: Account)
    /// A notice that the address will change, to the present one.
    case addressChange(of: Account, to: String)
    /// A link with which a new password is set, if there is an account with the address; otherwise no mail.
    case passwordReset(EmailAddress)
    /// A notice that a link or an administrator has set a new password, which has ended all sessions, tokens and
    /// devices.
    case credentialsEnded(of: Account)
    /// A notice that the owner has changed the password.
    case passwordChanged(of: Account)
    /// A notice that the account is suspended, until when, and what the one who suspended it says.
    case suspended(of: Account, note: String)
}
