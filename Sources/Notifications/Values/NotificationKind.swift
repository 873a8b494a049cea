/// What a notification is about. The texts are stored and never change.
package enum NotificationKind: String, Sendable, Hashable, CaseIterable {
    /// There are new videos.
    case newVideo = "new-video"
    /// A competition that the receiver follows has new videos.
    case competitionVideo = "competition-video"
    /// A channel has gone live.
    case channelLive = "channel-live"
    case follower
    /// Somebody has commented on a video of the receiver.
    case comment
    /// Somebody has answered a comment of the receiver.
    case reply
    /// Somebody likes a video of the receiver.
    case like
    /// A moderator has decided about something of the receiver.
    case decision
    /// The time of a rental is about to end.
    case rentalEnding = "rental-ending"
    /// What the receiver has sent plays.
    case uploadReady = "upload-ready"
    /// What the receiver has sent cannot be played.
    case uploadFailed = "upload-failed"
    /// Something of the receiver was reported.
    case reported
    /// Something that was reported waits for a decision of the moderators, of whom the receiver is one.
    case reportWaiting = "report-waiting"
    /// Somebody has written to the operators, of whom the receiver is one.
    case supportMessage = "support-message"
    /// Members whom the receiver follows have new videos.
    case followedVideo = "followed-video"
    /// Members whom the receiver follows like videos.
    case followedLike = "followed-like"

    /// The preferences that decide about it.
    package var group: NotificationGroup {
        switch self {
        case .newVideo, .competitionVideo, .channelLive: .newVideos
        case .follower, .comment, .reply, .like, .decision, .rentalEnding, .uploadReady, .uploadFailed, .reported,
            .reportWaiting, .supportMessage:
            .aboutMe
        case .followedVideo, .followedLike: .followed
        }
    }
}
