import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import Hummingbird
import JSONDocument
import MediaCore
import StreamRelays
import Workflows

/// `/api/v1/channels/{name}/relays`: the source of a channel, and its copies.
struct RelayEndpoints: Sendable {
    let content: any ChannelContent
    let relays: StreamRelays

    var endpoints: [Endpoint] {
        [
            Endpoint(ChannelAPI.listRelays, .channel(.manage)) { _, context in
                let name = try channel(context)
                return APIPage(relays.statuses(ofChannel: name).map { Self.resource($0) }).response()
            },
            Endpoint(ChannelAPI.setRelay, .channel(.manage)) { request, context in
                try await change(request, context)
            },
        ]
    }

    private func channel(_ context: GatewayRequestContext) throws -> String {
        let name = try context.parameters.require("name")
        guard content.channel(named: name) != nil else { throw content.missing(channel: name, context) }
        return name
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let name = try channel(context)
        let body = try await RequestBody.body(
            of: request, example: "{\"action\": \"start\"}",
            maximumByteCount: ChannelEndpoints.maximumBodyByteCount)
        let isStopped: Bool
        switch body["action"]?.string {
        case "start": isStopped = false
        case "stop": isStopped = true
        default: throw ProblemDetails(.badRequest, "\"action\" must be \"start\" or \"stop\"")
        }
        let id = try context.parameters.require("id")
        guard let identifier = RelayIdentifier(channel: name, text: id),
            relays.set(identifier, isStopped: isStopped),
            let status = relays.statuses(ofChannel: name).first(where: { $0.identifier == identifier })
        else { throw ProblemDetails(.notFound, "\(name) has no relay \(id)") }
        return Self.resource(status).response()
    }

    private static func resource(_ status: RelayStatus) -> APIObject<RelayFields> {
        RelayFields.object { f in
            [
                f.id("\(status.identifier)"), f.address(status.address), f.state(status.state.rawValue),
                f.since(APIResources.time(status.since)), status.reason.map { f.reason($0) },
                f.attempts(status.attemptCount), f.bytes(status.byteCount), f.droppedFrames(status.droppedUnitCount),
            ]
        }
    }
}
