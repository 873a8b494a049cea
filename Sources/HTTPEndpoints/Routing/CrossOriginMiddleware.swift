import HTTPTypes
import Hummingbird

/// Lets scripts of the pages that the operator has named use the API: answers their preflight requests, and adds what
/// lets them read the responses, errors included.
struct CrossOriginMiddleware: RouterMiddleware {
    typealias Context = GatewayRequestContext

    let policy: CrossOriginPolicy

    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE"
    private static let requestFields =
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Tus-Resumable, "
        + "Upload-Length, Upload-Metadata, Upload-Offset"
    private static let responseFields =
        "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Tus-Resumable, "
        + "Upload-Length, Upload-Offset, X-Request-ID"
    /// Time in seconds for which browsers keep the answer to a preflight; Chromium keeps it for two hours at most.
    private static let maximumAge = "7200"

    func handle(
        _ request: Request, context: GatewayRequestContext,
        next: (Request, GatewayRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path.hasPrefix("/api/"), let origin = request.headers[.origin] else {
            return try await next(request, context)
        }
        let isAllowed = policy.includes(origin)
        var response: Response
        if isAllowed, request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            response = Response(
                status: .noContent,
                headers: [
                    .accessControlAllowMethods: Self.methods, .accessControlAllowHeaders: Self.requestFields,
                    .accessControlMaxAge: Self.maximumAge,
                ])
        } else {
            response = try await next(request, context)
            if isAllowed { response.headers[.accessControlExposeHeaders] = Self.responseFields }
        }
        if isAllowed { response.headers[.accessControlAllowOrigin] = origin }
        // A cache must not give one origin the answer of another.
        let varying = response.headers[.vary].map { "\($0), Origin" } ?? "Origin"
        response.headers[.vary] = varying
        return response
    }
}
