import Accounts
import MediaCore

/// An event that others are notified of, as it waits in the table.
struct Deed: Sendable {
    /// The texts are stored and never change.
    enum Kind: String, Sendable {
        /// A video is in lists now.
        case video
        case like, comment, follow, decision
        case channelLive = "channel-live"
        case rentalEnding = "rental-ending"
        case uploadReady = "upload-ready"
        case uploadFailed = "upload-failed"
        /// An item of the receiver was reported.
        case report
        /// A reported item waits for a moderator.
        case reportWaiting = "report-waiting"
        /// A message to the operators.
        case supportMessage = "support-message"
        /// A topic of the forum was begun.
        case topic
        /// A comment was written in a topic.
        case topicComment = "topic-comment"
        /// An invitation of the actor to become contacts, and what has become of it.
        case contactInvitation = "contact-invitation"
        case contactAdded = "contact-added"
        case contactRefused = "contact-refused"
        /// A video or upload is gone, and so is what members were told of it. Nobody is told of this.
        case removal
    }

    var kind: Kind
    /// The identity of the deed among those of its kind. The same deed is written once.
    var identity: String
    /// The account that did it, which is not told of it.
    var actor: UserID?
    /// The one who is told; `nil` if that follows from what it is about.
    var receiver: UserID?
    var video: OpaqueID?
    var comment: OpaqueID?
    /// The name of a channel, the ID of a title, upload or topic, or that of the item that a moderator has decided on.
    var subject: String?
    /// The name of a title or of a sent video, the title of a channel, or what a moderator has decided.
    var detail: String?
}
