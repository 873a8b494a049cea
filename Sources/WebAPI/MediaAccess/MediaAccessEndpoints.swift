package import HLSDelivery
package import HTTPEndpoints
package import MediaAccess
package import Workflows

/// The endpoints of who may watch and publish: links, audiences, and the question of proxies.
package struct MediaAccessEndpoints: Sendable {
    private let content: any ContentSource
    private let publicAddress: PublicAddress?
    private let ports: PublishingPorts

    /// Links to media that is not for everybody; `nil` for a server without any.
    package var links: MediaLinks?
    /// The audiences of single titles and tracks; `nil` for a server without any.
    package var audiences: TitleAudiences?
    /// Decides who may watch; `nil` for a server without media.
    package var delivery: MediaDelivery?

    /// - Parameters:
    ///   - content: what links and audiences are about.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - ports: the ports to which publishers push.
    package init(content: any ContentSource, publicAddress: PublicAddress?, ports: PublishingPorts) {
        (self.content, self.publicAddress, self.ports) = (content, publicAddress, ports)
    }

    package var endpoints: [Endpoint] {
        var endpoints: [Endpoint] = []
        if let links {
            endpoints +=
                MediaLinkEndpoints(links: links, publicAddress: publicAddress).endpoints
                + PublishLinkEndpoints(
                    content: content, links: links, publicAddress: publicAddress, ports: ports
                ).endpoints
        }
        if let audiences { endpoints += AudienceEndpoints(content: content, audiences: audiences).endpoints }
        if let delivery { endpoints.append(AuthorizeEndpoint(delivery: delivery).endpoint) }
        return endpoints
    }
}
