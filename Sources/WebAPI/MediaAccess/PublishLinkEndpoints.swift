import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaAccess
import MediaCore
import Workflows

/// `/api/v1/channels/{name}/publish-links`: links with which one publisher pushes to a channel.
struct PublishLinkEndpoints: Sendable {
    let content: any ChannelContent
    let links: MediaLinks
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?
    let ports: PublishingPorts

    private static let path = "/api/v1/channels/{name}/publish-links"

    var endpoints: [Endpoint] {
        [
            Endpoint(MediaAccessAPI.listPublishLinks, .channel(.manage)) { request, caller in
                let page = try PageRequest(request)
                let found = try await links.publishLinks(
                    of: try channel(caller), after: page.cursor, limit: page.limit)
                return APIPage(found.items.map { resource($0) }, next: found.next).response()
            },
            Endpoint(MediaAccessAPI.createPublishLink, .channel(.manage), handler: create),
            Endpoint(MediaAccessAPI.deletePublishLink, .channel(.manage)) { _, caller in
                guard let id = OpaqueID(parsing: try caller.parameters.require("id")) else {
                    throw Refusal(.notFound, "the channel has no such link")
                }
                try await links.revokePublishLink(id, of: try channel(caller), by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    /// - Throws: `ProblemDetails` with 404 if there is no such channel.
    private func channel(_ caller: GatewayRequestContext) throws -> String {
        let name = try caller.parameters.require("name")
        guard content.channel(named: name) != nil else { throw content.missing(channel: name, caller) }
        return name
    }

    private func create(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (links, channel) = (links, try channel(caller))
        let body = try await BodyFields(request, NewPublishLinkFields.self)
        var end: WallClockTime?
        if let seconds = try body.integer(\.expiresIn) {
            let limit = Int64(PublishLink.maximumLife.seconds)
            guard seconds > 0, Int64(seconds) <= limit else {
                throw Refusal(
                    .invalidField, "the field `expiresIn` must be a number of seconds from 1 to \(limit)",
                    fields: ["expiresIn"])
            }
            end = links.now + .seconds(seconds)
        }
        let new = try await links.createPublishLink(
            try body.text(\.name) ?? channel, channel: channel, until: end, by: caller.caller)
        return resource(new.link, new).response(status: .created)
    }

    /// - Parameter new: a link that was just made; its secrets are in no other answer.
    private func resource(_ link: PublishLink, _ new: NewPublishLink? = nil) -> APIObject<PublishLinkFields> {
        let addresses = new.map { PublishLinkAddresses($0, host: publicAddress?.host, ports) }
        return PublishLinkFields.object { fields in
            [
                fields.id(link.id.text), fields.channel(link.channel), fields.name(link.name),
                fields.createdAt(APIResources.time(link.createdAt)),
                fields.expiresAt(APIResources.time(link.expiresAt)), fields.usedAt(APIResources.time(link.usedAt)),
                fields.usedBy(link.usedBy), fields.revokedAt(APIResources.time(link.revokedAt)),
                addresses.map { fields.link($0.rtsp) }, addresses?.rtmp.map { fields.rtmp($0) },
                addresses?.srt.map { fields.srt($0) }, new.map { fields.passphrase($0.passphrase) },
            ]
        }
    }
}
