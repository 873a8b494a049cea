package import Accounts

/// A link that was just made, with its secret, which is shown once.
package struct NewPublishLink: Sendable {
    package var link: PublishLink
    package var secret: Secret
    /// The passphrase of pushes by SRT with the link.
    package var passphrase: String
}
