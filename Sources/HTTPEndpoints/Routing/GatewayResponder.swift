import APIContract
package import Hummingbird

/// Normalizes the path of each request and passes the request to the router; answers 400 if the path has a bad `%`.
package struct GatewayResponder: HTTPResponder {
    let responder: RouterResponder<GatewayRequestContext>

    package func respond(to request: Request, context: GatewayRequestContext) async throws -> Response {
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
        var head = request.head
        head.path = normalized
        return try await responder.respond(to: Request(head: head, body: request.body), context: context)
    }
}
