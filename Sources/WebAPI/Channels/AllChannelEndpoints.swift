package import HLSDelivery
package import HTTPEndpoints
package import StreamRelays
package import Workflows

/// The endpoints of channels, and of the file that configures them.
package struct AllChannelEndpoints: Sendable {
    private let content: any ContentSource
    /// `nil` if titles cannot be encrypted.
    private let titleKeys: TitleKeys?
    /// Reloads and changes `channels.json`; `nil` for a server without the file.
    private let reloader: (any ChannelsReloading)?
    /// `nil` in tests without relays.
    private let relays: StreamRelays?

    /// - Parameters:
    ///   - content: the channels.
    ///   - titleKeys: `nil` if titles cannot be encrypted.
    ///   - reloader: reloads and changes `channels.json`; `nil` for a server without the file.
    ///   - relays: the sources and copies of channels; `nil` in tests without any.
    package init(
        content: any ContentSource, titleKeys: TitleKeys?, reloader: (any ChannelsReloading)?,
        relays: StreamRelays? = nil
    ) {
        (self.content, self.titleKeys, self.reloader, self.relays) = (content, titleKeys, reloader, relays)
    }

    package var endpoints: [Endpoint] {
        ChannelEndpoints(content: content, titleKeys: titleKeys).endpoints
            + [MetadataEndpoint(content: content).endpoint, ReloadEndpoint(reloader: reloader).endpoint]
            + (relays.map { RelayEndpoints(content: content, relays: $0).endpoints } ?? [])
            + ConfigurationEndpoints(reloader: reloader, content: content).endpoints
    }
}
