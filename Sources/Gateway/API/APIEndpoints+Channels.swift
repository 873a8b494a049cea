import Hummingbird
import LiveChannels
import NIOCore

/// What operators do with channels.
extension APIEndpoints {
    /// `{"action": "start"}` or `{"action": "stop"}`
    func setRecording(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        let body = try await operatorsBody(of: request, context, example: "{\"action\": \"start\"}")
        let isWanted: Bool
        switch body["action"]?.string {
        case "start": isWanted = true
        case "stop": isWanted = false
        default: throw ProblemDetails(.badRequest, "\"action\" must be \"start\" or \"stop\"")
        }
        do {
            guard let status = try await content.setRecording(isWanted, ofChannel: name) else {
                throw ProblemDetails(.notFound, "there is no channel of this name")
            }
            return try JSONText.encoded(status).response()
        } catch let error as RecordingError {
            throw ProblemDetails(error.code == .nobodyPublishes ? .conflict : .serviceUnavailable, error.reason)
        }
    }

    /// The JSON of a request that changes something on the server, which only the machine's own people may.
    func operatorsBody(
        of request: Request, _ context: GatewayRequestContext, example: String
    ) async throws -> JSONNode {
        guard context.isFromLoopback else {
            throw ProblemDetails(.forbidden, "channels are recorded from the server's own machine only")
        }
        // A browser on this machine may be showing a stranger's page; without CORS it can only send simple types.
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw ProblemDetails(.unsupportedMediaType, "send \(example) as application/json")
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.maximumBodyByteCount)
        } catch is NIOTooManyBytesError {
            throw ProblemDetails(.contentTooLarge, "the body may have \(Self.maximumBodyByteCount) bytes")
        }
        do {
            return try JSONParser.parse(body.readableBytesView)
        } catch {
            throw ProblemDetails(.badRequest, "the body is not JSON: \(error)")
        }
    }
}
