package import APIContract
package import HTTPTypes
package import Hummingbird

/// A method and a path that the gateway serves, with the handler that answers them.
package struct Endpoint: Sendable {
    /// Answers a request; may throw ``ProblemDetails``.
    package typealias Handler = @Sendable (Request, GatewayRequestContext) async throws -> Response

    package var method: HTTPRequest.Method
    /// The path in OpenAPI's notation: `/api/v1/titles/{id}`.
    package var path: String
    /// The rule for senders of the request; the handler sees only those that it admits.
    package var rule: AccessRule
    package var handler: Handler
    /// The operation of the API that the endpoint carries out; `nil` for a page, or another address outside of the API.
    package let operation: (any DeclaredOperation)?
    /// Whether the handler keeps the `Idempotency-Key` itself, in the same transaction as what it changes; otherwise
    /// the response to the first request is recorded.
    package var keepsKeys = false
    /// Whether programs may send the request with a token. Pages are for people who have logged in, so that each deed
    /// has one door for tokens, the API, with one rule.
    package private(set) var takesTokens: Bool
    /// The longest text of each parameter of the query that has a limit, in Unicode scalars.
    private let queryLimits: [(name: String, length: Int)]

    /// An endpoint outside of the API, such as a page.
    ///
    /// - Parameters:
    ///   - method: the method of the requests.
    ///   - path: the path in OpenAPI's notation.
    ///   - rule: who may send the request.
    ///   - handler: answers a request.
    package init(_ method: HTTPRequest.Method, _ path: String, _ rule: AccessRule, handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.rule = rule
        self.handler = handler
        operation = nil
        queryLimits = []
        takesTokens = path.hasPrefix("/api/")
    }

    /// An operation of the API.
    ///
    /// - Parameters:
    ///   - operation: the operation, whose method and path the requests have.
    ///   - rule: who may send the request.
    ///   - handler: answers a request.
    package init(_ operation: any DeclaredOperation, _ rule: AccessRule, handler: @escaping Handler) {
        method = HTTPRequest.Method(operation.method)
        path = operation.path
        self.rule = rule
        self.handler = handler
        self.operation = operation
        queryLimits = operation.parameters.filter { $0.place == .query }.flatMap { parameter in
            parameter.field.traits.compactMap { trait in
                if case .maximumLength(let length) = trait { (parameter.field.name, length) } else { nil }
            }
        }
        takesTokens = true
    }

    /// An endpoint outside of the API that programs may use with a token all the same, such as an image, a feed or the
    /// metrics. It changes nothing.
    package var forPrograms: Endpoint {
        precondition(!isChange, "a change for programs belongs to the API")
        var endpoint = self
        endpoint.takesTokens = true
        return endpoint
    }

    /// An endpoint whose handler keeps the `Idempotency-Key` itself; see ``keepsKeys``.
    package var keepingKeys: Endpoint {
        var endpoint = self
        endpoint.keepsKeys = true
        return endpoint
    }

    /// Checks the texts of the query against the limits that the operation declares for them.
    ///
    /// - Throws: ``ProblemDetails`` with status 400 for one that is longer.
    func checkQuery(of request: Request) throws {
        for (name, length) in queryLimits {
            guard let text = PageRequest.value(of: name, in: request) else { continue }
            try PageRequest.check(text, name, maximumLength: length)
        }
    }

    /// Whether requests change something (RFC 9110 §9.2.1).
    var isChange: Bool { ![.get, .head, .options].contains(method) }
}

extension HTTPRequest.Method {
    fileprivate init(_ method: APIMethod) {
        self =
            switch method {
            case .get: .get
            case .head: .head
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            case .options: .options
            }
    }
}
