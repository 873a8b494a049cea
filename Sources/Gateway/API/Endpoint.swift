package import HTTPTypes
package import Hummingbird

/// A method and a path that the gateway serves, with the handler that answers them.
package struct Endpoint: Sendable {
    /// Answers a request; may throw ``ProblemDetails``.
    package typealias Handler = @Sendable (Request, GatewayRequestContext) async throws -> Response

    /// The clients that may send a request.
    package enum Audience: Sendable, Hashable {
        case everyone
        /// Requests without the operator token are refused before the handler sees them.
        case operators
    }

    package var method: HTTPRequest.Method
    /// The path in OpenAPI's notation: `/api/v1/titles/{id}`.
    package var path: String
    /// The clients that may send the request.
    package var audience: Audience
    package var handler: Handler

    /// - Parameter audience: who may send the request; `nil` means everyone for GET, HEAD and OPTIONS, and operators
    ///   for all other methods.
    package init(
        _ method: HTTPRequest.Method, _ path: String, for audience: Audience? = nil, handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.audience = audience ?? ([.get, .head, .options].contains(method) ? .everyone : .operators)
        self.handler = handler
    }
}

/// All endpoints. The router is made from them, a 405 response lists their methods, and a test compares them with the
/// OpenAPI description.
package struct EndpointTable: Sendable {
    package let endpoints: [Endpoint]
    private let operators: OperatorGate

    package init(_ endpoints: [Endpoint], operators: OperatorGate) {
        self.endpoints = endpoints
        self.operators = operators
    }

    /// The methods of the route that a path leads to, each once, with HEAD wherever there is GET; empty if there is no
    /// such route.
    func methods(of path: String) -> [HTTPRequest.Method] {
        let components = path.split(separator: "/")
        let matching = endpoints.map { ($0.method, PathTemplate($0.path)) }.filter { $0.1.matches(components) }
        // The router prefers literal components: /jobs/events is not /jobs/{id}.
        guard let route = matching.map(\.1.shape).max() else { return [] }
        var methods: [HTTPRequest.Method] = []
        for (method, template) in matching where template.shape == route && !methods.contains(method) {
            methods.append(method)
        }
        return methods.contains(.get) && !methods.contains(.head) ? methods + [.head] : methods
    }

    /// A router with every endpoint, which renders errors as problem details and adds the security headers to every
    /// response.
    package func router() -> GatewayRouter {
        let router = Router(context: GatewayRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemDetailsMiddleware(endpoints: self))
        for endpoint in endpoints {
            // Hummingbird uses the same notation for captured components.
            router.on(RouterPath(endpoint.path), method: endpoint.method) { [operators] request, context in
                var context = context
                context.isOperator = operators.isOperator(request)
                guard context.isOperator || endpoint.audience == .everyone else {
                    throw operators.refusal(of: request, from: context.remoteAddress)
                }
                return try await endpoint.handler(request, context)
            }
        }
        return GatewayRouter(router: router)
    }
}

/// The path of an endpoint, split into components.
private struct PathTemplate {
    /// A string that tells which components are literal; a more specific template compares greater.
    let shape: String
    private let components: [Substring]

    init(_ path: String) {
        components = path.split(separator: "/")
        shape = components.map { Self.isCapture($0) ? "0" : "1\($0)" }.joined(separator: "/")
    }

    private static func isCapture(_ component: Substring) -> Bool { component.hasPrefix("{") }

    func matches(_ path: [Substring]) -> Bool {
        components.count == path.count && zip(components, path).allSatisfy { Self.isCapture($0) || $0 == $1 }
    }
}
