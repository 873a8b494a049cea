package import Events

extension EventSubject.Kind {
    package static let channel = Self(rawValue: "channel")
}

extension EventType {
    /// A publisher's media can be watched.
    package static let channelUp = Self(rawValue: "channel.up")
    /// The push ended.
    package static let channelDown = Self(rawValue: "channel.down")
    /// The media that arrives from a publisher has become bad, or good again.
    static let channelQuality = Self(rawValue: "channel.quality")
    /// Media of a channel is missing.
    static let channelGap = Self(rawValue: "channel.gap")
    /// A quality of a channel's ladder is no longer encoded, or is encoded again.
    static let channelLadder = Self(rawValue: "channel.ladder")
    static let recordingStarted = Self(rawValue: "recording.started")
    static let recordingFinished = Self(rawValue: "recording.finished")

    static let ofChannels = [
        channelUp, channelDown, channelQuality, channelGap, channelLadder, recordingStarted, recordingFinished,
    ]
}
