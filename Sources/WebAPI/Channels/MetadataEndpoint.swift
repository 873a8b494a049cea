import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LiveChannels
import Workflows

/// The endpoint `POST /api/v1/channels/{name}/metadata`, which inserts timed metadata at a channel's live edge.
struct MetadataEndpoint: Sendable {
    let content: any ChannelContent

    /// Limit of a request's body: sixteen attributes of a kilobyte, an ID3 text, and JSON escapes.
    static let maximumBodyByteCount = 64 * 1024

    var endpoint: Endpoint {
        Endpoint(ChannelAPI.addMetadata, .channel(.publish)) { request, context in
            try await announce(request, context)
        }
    }

    /// Inserts the metadata for all viewers of the channel.
    private func announce(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        let json = try await RequestBody.body(
            of: request, example: "an object", maximumByteCount: Self.maximumBodyByteCount)
        do {
            guard let range = try await content.announce(try TimedMetadata(json), onChannel: name) else {
                throw content.missing(channel: name, context)
            }
            return APIResources.dateRange(range).response(status: .created)
        } catch let error as TimedMetadataError {
            throw ProblemDetails(error.status, error.reason)
        }
    }
}

extension TimedMetadataError {
    fileprivate var status: HTTPResponse.Status {
        switch code {
        case .invalid: .unprocessableContent
        case .notLive, .identifierInUse: .conflict
        case .tooMany: .tooManyRequests
        }
    }
}
