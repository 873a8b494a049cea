import HTTPTypes
import Hummingbird
import NIOCore

/// A request that changes something on the server: only the machine's own people may, with a JSON body.
enum OperatorRequest {
    /// For requests that no page of a stranger's can make a browser send: other methods than POST, or headers of our own.
    ///
    /// - Parameter action: as below.
    /// - Throws: ``ProblemDetails``
    static func check(_ context: GatewayRequestContext, action: String) throws {
        guard context.isFromLoopback else {
            throw ProblemDetails(.forbidden, "\(action) from the server's own machine only")
        }
        guard LocalAuthority.isLocal(context.authority) else {
            throw ProblemDetails(
                .forbidden, "\(action) from the server's own machine only, by http://localhost or an address")
        }
    }

    /// - Parameters:
    ///   - action: what is asked for, in the passive voice, for who may not: `files are ingested by path`.
    ///   - example: of the body, for who sends something else.
    /// - Throws: ``ProblemDetails``
    static func body(
        of request: Request, _ context: GatewayRequestContext, action: String, example: String, maximumByteCount: Int
    ) async throws -> JSONNode {
        try check(context, action: action)
        // A browser on this machine may be showing a stranger's page; without CORS it can only send simple types.
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw ProblemDetails(.unsupportedMediaType, "send \(example) as application/json")
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: maximumByteCount)
        } catch is NIOTooManyBytesError {
            throw ProblemDetails(.contentTooLarge, "the body may have \(maximumByteCount) bytes")
        }
        do {
            return try JSONParser.parse(body.readableBytesView)
        } catch {
            throw ProblemDetails(.badRequest, "the body is not JSON: \(error)")
        }
    }
}
