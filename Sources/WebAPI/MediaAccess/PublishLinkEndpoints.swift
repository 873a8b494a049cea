import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaAccess
import MediaCore
import Workflows

/// `/api/v1/channels/{name}/publish-links`: links with which one publisher pushes to a channel.
struct PublishLinkEndpoints: Sendable {
    let content: any ChannelContent
    let links: MediaLinks
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?
    let rtspPort: @Sendable () -> Int

    private static let path = "/api/v1/channels/{name}/publish-links"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, .channel(.manage)) { request, caller in
                let page = try PageRequest(request)
                let found = try await links.publishLinks(
                    of: try channel(caller), after: page.cursor, limit: page.limit)
                return APIResources.page(found.items.map { resource($0) }, next: found.next).response()
            },
            Endpoint(.post, Self.path, .channel(.manage), handler: create),
            Endpoint(.delete, "\(Self.path)/{id}", .channel(.manage)) { _, caller in
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
        let body = try await BodyFields(request, fields: ["name", "expiresIn"])
        var end: WallClockTime?
        if let seconds = try body.integer("expiresIn") {
            let limit = Int64(PublishLink.maximumLife.seconds)
            guard seconds > 0, Int64(seconds) <= limit else {
                throw Refusal(
                    .invalidField, "the field `expiresIn` must be a number of seconds from 1 to \(limit)",
                    fields: ["expiresIn"])
            }
            end = links.now + .seconds(seconds)
        }
        let new = try await links.createPublishLink(
            try body.text("name") ?? channel, channel: channel, until: end, by: caller.caller)
        return resource(new.link, secret: new.secret).response(status: .created)
    }

    /// - Parameter secret: the secret of a link that was just made; it is in no other answer.
    private func resource(_ link: PublishLink, secret: Secret? = nil) -> JSONText {
        var fields: [JSONText.Field] = [
            ("id", .string(link.id.text)), ("channel", .string(link.channel)), ("name", .string(link.name)),
            ("createdAt", APIResources.time(link.createdAt)), ("expiresAt", APIResources.time(link.expiresAt)),
            ("usedAt", APIResources.time(link.usedAt)), ("usedBy", .optional(link.usedBy)),
            ("revokedAt", APIResources.time(link.revokedAt)),
        ]
        if let secret {
            let path = "/live/\(link.channel).stream?token=\(secret.text)"
            let host = publicAddress.map { "rtsp://\($0.host):\(rtspPort())" } ?? ""
            fields.append(("link", .string("\(host)\(path)")))
        }
        return .object(fields)
    }
}
