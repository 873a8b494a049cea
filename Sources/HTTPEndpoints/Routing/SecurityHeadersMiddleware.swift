import HTTPTypes
import Hummingbird

/// Adds the security headers that every response of the router carries, unless its handler has set its own.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = GatewayRequestContext

    static let contentSecurityPolicy = ContentSecurityPolicy().text

    func handle(
        _ request: Request, context: GatewayRequestContext,
        next: (Request, GatewayRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        Self.add(to: &response)
        return response
    }

    static func add(to response: inout Response) {
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = contentSecurityPolicy
        }
        if let referrerPolicy = HTTPField.Name("Referrer-Policy"), response.headers[referrerPolicy] == nil {
            response.headers[referrerPolicy] = "same-origin"
        }
    }
}
