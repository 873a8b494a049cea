import HTTPTypes
package import Hummingbird

/// All endpoints. The router is made from them, a 405 response lists their methods, and a test compares them with the
/// OpenAPI description.
package struct EndpointTable: Sendable {
    /// Renders an error as a page for browsers.
    package typealias ProblemPage = @Sendable (ProblemDetails, Request, GatewayRequestContext) throws -> Response

    package let endpoints: [Endpoint]
    private let operators: OperatorGate
    private let problemPage: ProblemPage?

    /// - Parameters:
    ///   - endpoints: the endpoints; no two have the same method and path.
    ///   - operators: authorizes requests for operators.
    ///   - problemPage: renders errors for browsers; `nil` answers browsers with problem details, too.
    package init(_ endpoints: [Endpoint], operators: OperatorGate, problemPage: ProblemPage? = nil) {
        self.endpoints = endpoints
        self.operators = operators
        self.problemPage = problemPage
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
        router.add(middleware: ProblemDetailsMiddleware(endpoints: self, problemPage: problemPage))
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
