/// The kind of a notification. The texts are stored and never change.
package enum NotificationKind: String, Sendable, Hashable, CaseIterable {
    /// There are new videos.
    case newVideo = "new-video"
    /// A competition that the receiver follows has new videos.
    case competitionVideo = "competition-video"
    /// A channel has gone live.
    case channelLive = "channel-live"
    case follower
    /// A comment on a video of the receiver.
    case comment
    /// An answer to a comment of the receiver.
    case reply
    /// A like of a video of the receiver.
    case like
    /// A moderator has decided about something of the receiver.
    case decision
    /// The time of a rental is about to end.
    case rentalEnding = "rental-ending"
    /// The receiver's upload plays.
    case uploadReady = "upload-ready"
    /// The receiver's upload cannot be played.
    case uploadFailed = "upload-failed"
    /// An item of the receiver was reported.
    case reported
    /// A reported item waits for a decision of the moderators, of whom the receiver is one.
    case reportWaiting = "report-waiting"
    /// A message to the operators, of whom the receiver is one.
    case supportMessage = "support-message"
    /// There are new topics in the forum.
    case newTopic = "new-topic"
    /// A comment in a topic in which the receiver has commented.
    case topicReply = "topic-reply"
    /// A comment in a topic that the receiver follows, or whose category they follow.
    case followedTopic = "followed-topic"
    /// A member invites the receiver to become contacts.
    case contactInvitation = "contact-invitation"
    /// A member and the receiver are contacts now.
    case contactAdded = "contact-added"
    /// A member has refused the receiver's invitation.
    case contactRefused = "contact-refused"
    /// Members whom the receiver follows have new videos.
    case followedVideo = "followed-video"
    /// Members whom the receiver follows like videos.
    case followedLike = "followed-like"

    /// The preferences that decide about it.
    package var group: NotificationGroup {
        switch self {
        case .newVideo, .competitionVideo, .channelLive: .newVideos
        case .follower, .comment, .reply, .like, .decision, .rentalEnding, .uploadReady, .uploadFailed, .reported,
            .reportWaiting, .supportMessage, .topicReply, .contactInvitation, .contactAdded, .contactRefused:
            .aboutMe
        case .newTopic: .newTopics
        case .followedVideo, .followedLike, .followedTopic: .followed
        }
    }
}
