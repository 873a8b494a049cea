import HTTPTypes
import Hummingbird

/// Adds the security headers that every response of the router carries, unless its handler has set its own.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = GatewayRequestContext

    /// The site has no inline scripts or styles and loads nothing from other hosts; players need `blob:` for media.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

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
