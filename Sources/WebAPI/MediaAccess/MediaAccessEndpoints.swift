package import HLSDelivery
package import HTTPEndpoints
package import MediaAccess
package import Workflows

/// The endpoints of who may watch and publish: links, audiences, and the question of proxies.
package struct MediaAccessEndpoints: Sendable {
    private let content: any ContentSource
    private let publicAddress: PublicAddress?
    private let rtspPort: @Sendable () -> Int

    /// Links to media that is not for everybody; `nil` for a server without any.
    package var links: MediaLinks?
    /// The audiences of single titles and tracks; `nil` for a server without any.
    package var audiences: TitleAudiences?
    /// Decides who may watch; `nil` for a server without media.
    package var delivery: MediaDelivery?

    /// - Parameters:
    ///   - content: what links and audiences are about.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - rtspPort: the port of the RTSP listener, shown to broadcasters.
    package init(
        content: any ContentSource, publicAddress: PublicAddress?, rtspPort: @escaping @Sendable () -> Int
    ) {
        (self.content, self.publicAddress, self.rtspPort) = (content, publicAddress, rtspPort)
    }

    package var endpoints: [Endpoint] {
        var endpoints: [Endpoint] = []
        if let links {
            endpoints +=
                MediaLinkEndpoints(links: links, publicAddress: publicAddress).endpoints
                + PublishLinkEndpoints(
                    content: content, links: links, publicAddress: publicAddress, rtspPort: rtspPort
                ).endpoints
        }
        if let audiences { endpoints += AudienceEndpoints(content: content, audiences: audiences).endpoints }
        if let delivery { endpoints.append(AuthorizeEndpoint(delivery: delivery).endpoint) }
        return endpoints
    }
}
