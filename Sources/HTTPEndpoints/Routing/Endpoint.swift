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

    /// - Parameters:
    ///   - method: the method of the requests.
    ///   - path: the path in OpenAPI's notation.
    ///   - audience: who may send the request; `nil` means everyone for GET, HEAD and OPTIONS, and operators for all
    ///     other methods.
    ///   - handler: answers a request.
    package init(
        _ method: HTTPRequest.Method, _ path: String, for audience: Audience? = nil, handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.audience = audience ?? ([.get, .head, .options].contains(method) ? .everyone : .operators)
        self.handler = handler
    }
}
