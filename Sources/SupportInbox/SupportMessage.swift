package import Accounts
package import MediaCore

/// A message of somebody who needs help.
package struct SupportMessage: Sendable, Hashable {
    /// The position in the inbox.
    package var number: Int64
    package var id: OpaqueID
    /// How the sender can be reached, as the sender says: nobody has checked it. Empty if the sender's account was
    /// deleted.
    package var sender: String
    package var subject: String
    package var text: String
    /// The account of the sender; `nil` for somebody who has not logged in.
    package var user: UserID?
    /// The address that the message came from; empty if the sender's account was deleted.
    package var address: String
    package var sentAt: WallClockTime

    /// Length limits in characters.
    package static let maximumSenderLength = 200
    package static let maximumSubjectLength = 200
    package static let maximumTextLength = 5_000
    /// Limit of the inbox. Then the oldest message of the address with the most messages makes room, for a sender with
    /// fewer.
    package static let maximumCount = 1_000
    /// Limit of the messages from one address in ``addressWindow``.
    package static let maximumCountPerAddress = 5
    package static let addressWindow = Duration.seconds(3_600)
}
