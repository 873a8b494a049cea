package import Accounts
package import MediaCore

/// A message of somebody who needs help.
package struct SupportMessage: Sendable, Hashable {
    /// The position in the inbox.
    package var number: Int64
    package var id: OpaqueID
    /// How the sender can be reached, as the sender says: nobody has checked it.
    package var sender: String
    package var subject: String
    package var text: String
    /// The account of the sender; `nil` for somebody who has not logged in.
    package var user: UserID?
    /// The address that the message came from.
    package var address: String
    package var sentAt: WallClockTime

    /// Length limits in characters.
    package static let maximumSenderLength = 200
    package static let maximumSubjectLength = 200
    package static let maximumTextLength = 5_000
    /// Limit of the inbox; then nothing more is taken until an operator deletes something.
    package static let maximumCount = 1_000
    /// Limit of the messages from one address in ``addressWindow``.
    package static let maximumCountPerAddress = 5
    package static let addressWindow = Duration.seconds(3_600)
}
