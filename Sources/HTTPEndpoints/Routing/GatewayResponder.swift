import APIContract
import HTTPTypes
package import Hummingbird
import LogMetadata
import Logging
import MediaCore

/// Normalizes the path of each request and passes the request to the router; answers 400 if the path has a bad `%`.
///
/// Each request gets its identifier here, which its log lines and its response carry, and is measured. Its scheme is
/// that of the client, which may speak HTTPS with a trusted proxy.
package struct GatewayResponder: HTTPResponder {
    let responder: RouterResponder<GatewayRequestContext>
    let authority: RequestAuthority
    let statistics: HTTPStatistics
    let strictTransport: StrictTransport

    package func respond(to request: Request, context: GatewayRequestContext) async throws -> Response {
        let elapsed = ContinuousClock().elapsed()
        let identifier = authority.requestIdentifier(request.headers, from: context.remoteAddress)
        var (request, context) = (request, context)
        if request.head.scheme != "https", authority.isSecureAtProxy(request.headers, from: context.remoteAddress) {
            request = request.changingHead { $0.scheme = "https" }
        }
        // Bodies are written outside of the scope below.
        context.logger[.requestID] = "\(identifier.text)"
        return try await RequestIdentifier.$current.withValue(identifier) { [request, context] in
            var response = try await normalizedAnswer(request, context)
            response.headers[RequestIdentifier.fieldName] = identifier.text
            strictTransport.add(to: &response, of: request)
            statistics.record(request.method, status: response.status, after: elapsed())
            return response
        }
    }

    private func normalizedAnswer(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard let target = request.head.path, target.utf8.contains(UInt8(ascii: "%")) else {
            return try await responder.respond(to: request, context: context)
        }
        guard let normalized = PathEncoding.normalized(target: target) else {
            let problem = ProblemDetails(.badRequest, "the path has a \"%\" without two hexadecimal digits after it")
            var response = problem.response(instance: nil)
            SecurityHeadersMiddleware.add(to: &response)
            return response
        }
        guard normalized != target else { return try await responder.respond(to: request, context: context) }
        return try await responder.respond(to: request.changingHead { $0.path = normalized }, context: context)
    }
}
