package import HLSDelivery
package import HTTPEndpoints
package import Workflows

/// The endpoints of channels, and of the file that configures them.
package struct AllChannelEndpoints: Sendable {
    private let content: any ContentSource
    /// `nil` if titles cannot be encrypted.
    private let titleKeys: TitleKeys?
    /// Reloads and changes `channels.json`; `nil` for a server without the file.
    private let reloader: (any ChannelsReloading)?

    /// - Parameters:
    ///   - content: the channels.
    ///   - titleKeys: `nil` if titles cannot be encrypted.
    ///   - reloader: reloads and changes `channels.json`; `nil` for a server without the file.
    package init(content: any ContentSource, titleKeys: TitleKeys?, reloader: (any ChannelsReloading)?) {
        (self.content, self.titleKeys, self.reloader) = (content, titleKeys, reloader)
    }

    package var endpoints: [Endpoint] {
        ChannelEndpoints(content: content, titleKeys: titleKeys).endpoints
            + [MetadataEndpoint(content: content).endpoint, ReloadEndpoint(reloader: reloader).endpoint]
            + ConfigurationEndpoints(reloader: reloader, content: content).endpoints
    }
}
