import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LiveChannels
import MediaCore
import Workflows

/// The endpoints of `/api/v1/channels`: the status of channels, their recordings and clips.
struct ChannelEndpoints: Sendable {
    let content: any ChannelContent
    /// The keys of encrypted titles; `nil` if titles cannot be encrypted.
    let titleKeys: TitleKeys?

    /// Limit of a request's body; the times and the title of a clip are short.
    static let maximumBodyByteCount = 16 * 1024

    var endpoints: [Endpoint] {
        [
            Endpoint(
                ChannelAPI.listChannels, .filtersChannels(reason: "channels that the caller may not read are left out")
            ) {
                _, context in channels(context)
            },
            Endpoint(ChannelAPI.getChannel, .channel(.read)) { _, context in try channel(context) },
            Endpoint(ChannelAPI.setRecording, .channel(.record)) { request, context in
                try await setRecording(request, context)
            },
            Endpoint(ChannelAPI.disconnectPublisher, .channel(.manage)) { _, context in
                let name = try context.parameters.require("name")
                guard let wasConnected = content.disconnectPublisher(ofChannel: name, reason: Self.disconnection) else {
                    throw content.missing(channel: name, context)
                }
                guard wasConnected else { throw ProblemDetails(.conflict, "nobody is broadcasting on \(name) now") }
                return Response(status: .noContent)
            },
            Endpoint(ChannelAPI.makeClip, .channel(.record)) { request, context in
                try await makeClip(request, context)
            },
        ]
    }

    /// The reason for a publisher and for the log.
    private static let disconnection = "an operator has disconnected it"

    private func channels(_ context: GatewayRequestContext) -> Response {
        APIPage(
            context.watchable(content.channels()).map { Self.resource($0, context) }
        ).response()
    }

    /// The status of a channel; only operators see the addresses of its publishers.
    private static func resource(
        _ status: ChannelStatus, _ context: GatewayRequestContext
    ) -> APIObject<ChannelFields> {
        APIResources.channel(context.may(.read, .system) ? status : status.withoutPeers)
    }

    private func channel(_ context: GatewayRequestContext) throws -> Response {
        let name = try context.parameters.require("name")
        guard let status = content.channel(named: name) else {
            throw content.missing(channel: name, context)
        }
        return Self.resource(status, context).response()
    }

    /// Starts or stops a recording; the body is `{"action": "start"}` or `{"action": "stop"}`.
    private func setRecording(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        let body = try await operatorsBody(of: request, example: "{\"action\": \"start\"}")
        let isWanted: Bool
        switch body["action"]?.string {
        case "start": isWanted = true
        case "stop": isWanted = false
        default: throw ProblemDetails(.badRequest, "\"action\" must be \"start\" or \"stop\"")
        }
        if isWanted { try requireSameAudience(name, context) }
        do {
            guard let status = try await content.setRecording(isWanted, ofChannel: name) else {
                throw content.missing(channel: name, context)
            }
            return APIResources.recording(status).response()
        } catch let error as RecordingError {
            throw ProblemDetails(error.code == .nobodyPublishes ? .conflict : .serviceUnavailable, error.reason)
        }
    }

    /// Makes a clip; the body is `{"from": "2026-11-21T17:20:00Z", "to": "2026-11-21T17:25:00Z", "title": "Goal"}`,
    /// with times as dates or as seconds since 1970.
    private func makeClip(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        let body = try await operatorsBody(of: request, example: "{\"from\": …, \"to\": …}")
        let (from, to) = (try time("from", in: body), try time("to", in: body))
        let title = body["title"]?.string
        guard title.map({ !$0.isEmpty && $0.unicodeScalars.count <= Self.maximumTitleLength }) ?? (body["title"] == nil)
        else {
            throw ProblemDetails(
                .badRequest, "\"title\" must be a string of 1 to \(Self.maximumTitleLength) characters")
        }
        try requireSameAudience(name, context)
        do {
            let record = try await content.makeClip(ofChannel: name, from: from, to: to, title: title)
            guard let record else {
                throw content.missing(channel: name, context)
            }
            var response = APIResources.title(record, keys: titleKeys).response(
                status: record.state == .ready ? .ok : .accepted)
            response.headers[.location] = "/api/v1/titles/\(record.id)"
            return response
        } catch let error as ClipError {
            throw ProblemDetails(error.code.status, error.reason)
        }
    }

    /// A recording is a title, so it must not be for more people than its channel.
    private func requireSameAudience(_ name: String, _ context: GatewayRequestContext) throws {
        guard context.identity.audiences.recordingsReachMore(thanChannel: name) else { return }
        throw ProblemDetails(
            .conflict,
            "recordings of \(name) would be visible to more people than the channel; set viewing.vod in channels.json")
    }

    /// Limit of a clip's title, which is one line on a page and is also stored in the file.
    private static let maximumTitleLength = 200

    private func time(_ field: String, in body: JSONNode) throws(ProblemDetails) -> WallClockTime {
        let node = body[field]
        let programTime =
            node?.string.flatMap { ProgramTime(parsing: $0[...]) }
            ?? node?.number.flatMap(ProgramTime.init(secondsSince1970:))
        guard let programTime else {
            throw ProblemDetails(
                .unprocessableContent, "\"\(field)\" must be a date like \"2026-11-21T17:20:00Z\" or seconds since 1970"
            )
        }
        return programTime.time
    }

    private func operatorsBody(of request: Request, example: String) async throws -> JSONNode {
        try await RequestBody.body(
            of: request, example: example, maximumByteCount: Self.maximumBodyByteCount)
    }
}

extension ClipError.Code {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .invalid, .outsideWindow, .parametersChange: .unprocessableContent
        case .storage: .init(code: 507, reasonPhrase: "Insufficient Storage")
        }
    }
}
