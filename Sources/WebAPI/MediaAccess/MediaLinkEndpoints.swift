import APIContract
import APIDeclarations
import Accounts
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaAccess
import MediaCore
import Viewing

/// `/api/v1/links`: links with which anybody can watch a channel, title or track until a time.
struct MediaLinkEndpoints: Sendable {
    let links: MediaLinks
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?

    private static let manages = AccessRule.needs(.manage, .system)

    var endpoints: [Endpoint] {
        [
            Endpoint(MediaAccessAPI.listLinks, Self.manages) { request, _ in
                let page = try PageRequest(request)
                let found = try await links.links(after: page.cursor, limit: page.limit)
                return APIPage(try found.items.map(resource), next: found.next).response()
            },
            Endpoint(
                MediaAccessAPI.createLink,
                .credentialed(
                    .permissionForThing(.manage),
                    reason: "the handler asks for the permission to manage what the path leads to"),
                handler: create),
            Endpoint(MediaAccessAPI.deleteLink, Self.manages) { _, caller in
                guard let id = OpaqueID(parsing: try caller.parameters.require("id")) else {
                    throw Refusal(.notFound, "there is no such link")
                }
                try await links.revoke(id, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    private func create(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, NewMediaLinkFields.self)
        guard let (address, target) = MediaAddress.entry(try body.required(\.path)) else {
            throw Refusal(
                .invalidField,
                "the field `path` must be that of a channel, title or track, such as /live/canalA.stream/playlist.m3u8",
                fields: ["path"])
        }
        try caller.require(.manage, caller.identity.audiences.resource(address.subject))
        var end: WallClockTime?
        if let seconds = try body.integer(\.expiresIn) {
            guard seconds > 0, Int64(seconds) <= Int64(MediaLink.maximumLife.seconds) else {
                throw Refusal(
                    .invalidField,
                    "the field `expiresIn` must be a number of seconds from 1 to \(Int64(MediaLink.maximumLife.seconds))",
                    fields: ["expiresIn"])
            }
            end = links.now + .seconds(seconds)
        }
        let link = try await links.create(
            try body.text(\.name) ?? String(address.folder.prefix(MediaLink.maximumNameLength)), folder: address.folder,
            target: target, until: end,
            by: caller.caller)
        return try resource(link).response(status: .created)
    }

    private func resource(_ link: MediaLink) throws -> APIObject<MediaLinkFields> {
        let path = links.path(of: link)
        return MediaLinkFields.object {
            [
                $0.id(link.id.text), $0.name(link.name), $0.path(link.target),
                $0.link(publicAddress?.url(path) ?? path), $0.createdAt(APIResources.time(link.createdAt)),
                $0.expiresAt(APIResources.time(link.expiresAt)), $0.revokedAt(APIResources.time(link.revokedAt)),
            ]
        }
    }
}
