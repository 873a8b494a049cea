import Accounts
package import HTTPTypes
package import Hummingbird
package import Idempotency

/// All endpoints. The router is made from them, a 405 response lists their methods, and a test compares them with the
/// OpenAPI description.
package struct EndpointTable: Sendable {
    /// Renders an error as a page for browsers.
    package typealias ProblemPage = @Sendable (ProblemDetails, Request, GatewayRequestContext) throws -> Response

    /// Notes what each page shows besides its own content, once its sender is known.
    package typealias PagePreparation = @Sendable (HTTPFields, inout GatewayRequestContext) async -> Void

    package let endpoints: [Endpoint]
    private let authority: RequestAuthority
    private let problemPage: ProblemPage?
    private let idempotency: IdempotentExchange?
    private let preparePage: PagePreparation?
    private let crossOrigin: CrossOriginPolicy
    private let statistics: HTTPStatistics
    private let strictTransport: StrictTransport

    /// - Parameters:
    ///   - endpoints: the endpoints; no two have the same method and path.
    ///   - authority: finds out who sends a request.
    ///   - problemPage: renders errors for browsers; `nil` answers browsers with problem details, too.
    ///   - idempotencyKeys: remembers requests with an `Idempotency-Key`; `nil` ignores such keys.
    ///   - preparePage: notes what each page shows; `nil` if pages show their own content only.
    ///   - crossOrigin: the pages of other origins whose scripts may use the API.
    ///   - statistics: receives how long answers take.
    ///   - strictTransport: whether browsers are told to come back over HTTPS only.
    package init(
        _ endpoints: [Endpoint], authority: RequestAuthority, problemPage: ProblemPage? = nil,
        idempotencyKeys: IdempotencyKeys? = nil, preparePage: PagePreparation? = nil,
        crossOrigin: CrossOriginPolicy = .none,
        statistics: HTTPStatistics = HTTPStatistics(), strictTransport: StrictTransport = .off
    ) {
        self.endpoints = endpoints
        self.authority = authority
        self.problemPage = problemPage
        self.crossOrigin = crossOrigin
        self.statistics = statistics
        self.strictTransport = strictTransport
        self.preparePage = preparePage
        idempotency = idempotencyKeys.map { IdempotentExchange(keys: $0) }
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
        if !crossOrigin.isEmpty { router.add(middleware: CrossOriginMiddleware(policy: crossOrigin)) }
        router.add(middleware: ProblemDetailsMiddleware(endpoints: self, problemPage: problemPage))
        for endpoint in endpoints {
            // Hummingbird uses the same notation for captured components.
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                try await ExpectedUpload.$channel.withValue(context.channel) {
                    try await answer(request, context, endpoint)
                }
            }
        }
        return GatewayRouter(
            router: router, authority: authority, statistics: statistics, strictTransport: strictTransport)
    }

    /// Lets a request pass to the handler of its endpoint if its sender may send it. The only way to a handler.
    private func answer(
        _ request: Request, _ context: GatewayRequestContext, _ endpoint: Endpoint
    ) async throws -> Response {
        if case .open = endpoint.rule {
            try endpoint.checkQuery(of: request)
            return try await endpoint.handler(request, context)
        }
        var (request, context) = (request, context)
        context.knownSender.ask()
        context.identity = try await authority.identify(
            request.headers, from: context.remoteAddress, isSecure: request.head.scheme == "https",
            acceptsDevices: endpoint.rule.includesDevices)
        context.knownSender.note(context.identity)
        request = request.inLanguage(of: context)
        if let preparePage, request.headers[.accept]?.contains("text/html") == true {
            await preparePage(request.headers, &context)
            try MaintenanceRule.admit(context, to: endpoint)
        }
        guard endpoint.path.hasPrefix("/api/"), let quota = try authority.admitRequest(context.principal) else {
            return try await admittedAnswer(request, context, endpoint)
        }
        do {
            var response = try await admittedAnswer(request, context, endpoint)
            response.headers.note(quota)
            return response
        } catch let error as any ReportedError {
            throw error.problem.noting(quota)
        }
    }

    /// Returns a request and its context as the page of an error needs them: with the account of its sender, whose
    /// language counts. For requests that no endpoint has taken, the session is looked up as for any page.
    func identified(_ request: Request, _ context: GatewayRequestContext) async -> (Request, GatewayRequestContext) {
        var context = context
        if !context.knownSender.wasAsked, SessionCookie.found(in: request.headers) != nil {
            // A page in the browser's language is better than none.
            let found = try? await authority.identify(
                request.headers, from: context.remoteAddress, isSecure: request.head.scheme == "https")
            if let found { context.knownSender.note(found) }
        }
        if let identity = context.knownSender.identity { context.identity = identity }
        if let preparePage { await preparePage(request.headers, &context) }
        return (request.inLanguage(of: context), context)
    }

    /// Answers a request that is within the limits of its sender.
    private func admittedAnswer(
        _ request: Request, _ context: GatewayRequestContext, _ endpoint: Endpoint
    ) async throws -> Response {
        var (request, context) = (request, context)
        let hasCredential = context.principal != .anonymous
        guard endpoint.takesTokens || context.principal.isPerson else {
            throw ProblemDetails(
                .forbidden, "pages are for logged-in users; programs with a token use the API, /api/v1")
        }
        try context.admit(by: endpoint.rule)
        try endpoint.checkQuery(of: request)
        if endpoint.isChange { request = try await authority.sameOrigin.check(request, context.identity) }
        var response: Response
        if let idempotency, IdempotentExchange.applies(to: request, endpoint, context) {
            response = try await idempotency.answer(request, context, endpoint.handler)
        } else {
            response = try await endpoint.handler(request, context)
        }
        if hasCredential, let caching = response.headers[.cacheControl] {
            // A shared cache would give it to those who may not have it (RFC 9111 §5.2.2.7).
            response.headers[.cacheControl] = caching.replacing("public", with: "private")
        }
        if context.identity.hasStaleCookie, response.headers[.setCookie] == nil {
            response.headers[.setCookie] = SessionCookie.removing(isSecure: context.identity.hasSecureCookie)
        }
        return response
    }
}

extension Request {
    /// The same request in the language that the account of its sender has chosen, which counts for all that answers in
    /// a language.
    fileprivate func inLanguage(of context: GatewayRequestContext) -> Request {
        guard let language = context.principal.member?.language else { return self }
        return changingHead { $0.headerFields[.acceptLanguage] = language }
    }
}

extension ProblemDetails {
    fileprivate func noting(_ quota: RequestQuota) -> ProblemDetails {
        var problem = self
        problem.headers.note(quota)
        return problem
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
