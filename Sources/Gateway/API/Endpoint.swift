package import HTTPTypes
package import Hummingbird

/// One thing that the gateway answers.
package struct Endpoint: Sendable {
    package typealias Handler = @Sendable (Request, GatewayRequestContext) async throws -> Response

    package var method: HTTPRequest.Method
    /// As OpenAPI writes it: `/api/v1/titles/{id}`.
    package var path: String
    package var handler: Handler

    package init(_ method: HTTPRequest.Method, _ path: String, handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.handler = handler
    }
}

/// All endpoints: what the router is made from, what a 405 looks up, and what the OpenAPI description is tested against.
package struct EndpointTable: Sendable {
    package let endpoints: [Endpoint]

    package init(_ endpoints: [Endpoint]) {
        self.endpoints = endpoints
    }

    /// The methods of a request's path, HEAD wherever there is GET; empty where there is no such path.
    func methods(of path: String) -> [HTTPRequest.Method] {
        let components = path.split(separator: "/")
        let methods = endpoints.filter { Self.matches($0.path, components) }.map(\.method)
        return methods.contains(.get) ? methods + [.head] : methods
    }

    private static func matches(_ template: String, _ components: [Substring]) -> Bool {
        let expected = template.split(separator: "/")
        return expected.count == components.count
            && zip(expected, components).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }

    /// A router with every endpoint, the problem details of its errors, and the headers that every answer carries.
    package func router() -> Router<GatewayRequestContext> {
        let router = Router(context: GatewayRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemDetailsMiddleware(endpoints: self))
        for endpoint in endpoints {
            // Hummingbird writes {id} the same way.
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                var context = context
                context.authority = request.head.authority
                return try await endpoint.handler(request, context)
            }
        }
        return router
    }
}
