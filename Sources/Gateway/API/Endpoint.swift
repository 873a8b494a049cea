package import HTTPTypes
package import Hummingbird

/// A request that the gateway answers.
package struct Endpoint: Sendable {
    package typealias Handler = @Sendable (Request, GatewayRequestContext) async throws -> Response

    package enum Audience: Sendable, Hashable {
        case everyone
        /// Requests without the operator token are refused before the handler sees them.
        case operators
    }

    package var method: HTTPRequest.Method
    /// As OpenAPI writes it: `/api/v1/titles/{id}`.
    package var path: String
    package var audience: Audience
    package var handler: Handler

    /// - Parameter audience: when omitted, everyone may read (GET, HEAD, OPTIONS) and operators do the rest.
    package init(
        _ method: HTTPRequest.Method, _ path: String, for audience: Audience? = nil, handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.audience = audience ?? ([.get, .head, .options].contains(method) ? .everyone : .operators)
        self.handler = handler
    }
}

/// All endpoints: what the router is made from, what a 405 looks up, and what the OpenAPI description is tested against.
package struct EndpointTable: Sendable {
    package let endpoints: [Endpoint]
    private let operators: OperatorGate

    package init(_ endpoints: [Endpoint], operators: OperatorGate) {
        self.endpoints = endpoints
        self.operators = operators
    }

    /// The methods of the route that a path leads to, each once, HEAD wherever there is GET; empty when there is none.
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

    /// A router with every endpoint, the problem details of its errors, and the headers that every answer carries.
    package func router() -> GatewayRouter {
        let router = Router(context: GatewayRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemDetailsMiddleware(endpoints: self))
        for endpoint in endpoints {
            // Hummingbird writes {id} the same way.
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

/// The path of an endpoint, in components.
private struct PathTemplate {
    /// Which components are literal, as a text that sorts behind those of less specific templates.
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
