/// A client that publishes to a channel.
package struct Publisher: Sendable, Hashable {
    /// `address:port`
    package var remoteAddress: String
    package var userAgent: String?
    /// `RTSP/TCP` or `RTSP/UDP`
    package var transport: String
    /// The preset that the publisher names; `nil` for the channel's default.
    package var presetName: String?

    package init(remoteAddress: String, userAgent: String?, transport: String, presetName: String?) {
        self.remoteAddress = remoteAddress
        self.userAgent = userAgent
        self.transport = transport
        self.presetName = presetName
    }
}
