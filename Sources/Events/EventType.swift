/// What has happened. Programs rely on the names: there are new ones, and none changes.
package enum EventType: String, Sendable, Hashable, CaseIterable {
    /// A publisher's media can be watched.
    case channelUp = "channel.up"
    /// The push ended.
    case channelDown = "channel.down"
    /// The media that arrives from a publisher has become bad, or good again.
    case channelQuality = "channel.quality"
    /// Media of a channel is missing.
    case channelGap = "channel.gap"
    case recordingStarted = "recording.started"
    case recordingFinished = "recording.finished"
    /// A job waits, runs, or has ended; its progress is in the events of `/api/v1/jobs/events`.
    case jobChanged = "job.changed"
    /// A title can be watched.
    case titleReady = "title.ready"
    /// A track can be heard.
    case trackReady = "track.ready"
    case accountCreated = "account.created"
    case accountApproved = "account.approved"
    case accountSuspended = "account.suspended"
    case accountRestored = "account.restored"
    case accountDeleted = "account.deleted"
    case roleChanged = "account.role"
    /// A member is told of something. It is journalled for members with a webhook that wants it, and for nobody else.
    case notificationCreated = "notification.created"
    /// An announcement was written or changed.
    case announcementPublished = "announcement.published"

    /// The group of the type: what stands before the dot.
    var group: String { String(rawValue.prefix { $0 != "." }) }
}
