import LiveChannels

/// An announcement that was accepted.
struct AcceptedAnnouncement {
    var channel: LiveChannel
    /// Formats of the media descriptions, in their order.
    var formats: [PublishedTrackFormat]
    var presetName: String?
    var userAgent: String?
}
